package explain

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Moved compares in the program, with the row that it has locked.
func Moved(ctx context.Context, s *concurrency.Session, tx *sql.Tx, id int64) error {
	m := concurrency.NewMutex(s, "/locks/moved")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	var stored int64
	if err := tx.QueryRowContext(ctx, `SELECT fence FROM moved WHERE id = $1 FOR UPDATE`, id).Scan(&stored); err != nil {
		return err
	}
	if stored > epoch {
		return sql.ErrTxDone
	}
	_, err := tx.ExecContext(ctx, `UPDATE moved SET v = v + 1, fence = $2 WHERE id = $1`, id, epoch)
	return err
}
