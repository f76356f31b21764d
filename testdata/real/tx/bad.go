// Package tx writes in transactions.
package tx

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// BadAll compares nothing in any of its statements.
func BadAll(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/all")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return in(ctx, db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE trains_plain SET late = true WHERE id = $1`, id) // want "unfencedwrite"
		return err
	})
}

// BadBeside compares in the transaction and then writes beside it, through the pool.
func BadBeside(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/beside")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision
	return in(ctx, db, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE coaches SET full = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		if err := one(res, err); err != nil {
			return err
		}
		_, err = db.ExecContext(ctx, `UPDATE seats_plain SET taken = true WHERE coach = $1`, id) // want "unfencedwrite"
		return err
	})
}

// in runs fn in a transaction and commits unless fn fails.
func in(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
