package tx

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodFirst compares first; what follows in the transaction stands or falls with it.
func GoodFirst(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/first")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision
	return in(ctx, db, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE trains SET late = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		if err := one(res, err); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO delays (train) VALUES ($1)`, id)
		return err
	})
}

// GoodGate raises the number of a row that stands for the whole, and then deletes many.
func GoodGate(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	mu := concurrency.NewMutex(s, "/locks/gate")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `UPDATE depot SET fence = $1 WHERE id = 1 AND fence < $1`, mu.Header().Revision)
	if err := one(res, err); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `DELETE FROM wagons WHERE id = $1`, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}
