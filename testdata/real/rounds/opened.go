package rounds

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// open raises the number of the owner in a transaction that does its work then; the owner
// itself, which finds its number there, is not refused.
func open(ctx context.Context, db *sql.DB, number, work string, id, fence int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, number, fence)
	if err := changed(res, err); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, work, id); err != nil {
		return err
	}
	return tx.Commit()
}

// OpenedAgain opens many transactions under one number.
func OpenedAgain(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/rounds/opened")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for _, id := range ids {
		err := open(ctx, db, `UPDATE keepers SET fence = $1 WHERE name = 'gate' AND fence <= $1`,
			`UPDATE gates SET open = true WHERE id = $1`, id, m.Header().Revision)
		if err != nil {
			return err
		}
	}
	return nil
}

// OpenedOnce is refused in its second round.
func OpenedOnce(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/rounds/openedonce")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for _, id := range ids {
		err := open(ctx, db, `UPDATE porters SET fence = $1 WHERE name = 'door' AND fence < $1`, // want "repeatedepoch"
			`UPDATE doors SET open = true WHERE id = $1`, id, m.Header().Revision)
		if err != nil {
			return err
		}
	}
	return nil
}
