// Package constant compares the fence with a number that is always the same, which is
// a condition on data and refuses nobody of the same program.
package constant

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

const format = 7

const update = `UPDATE sheet SET body = $3, epoch = $2 WHERE id = $1 AND epoch < $2`

func done(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

// Bad has the number from the program.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/sheet")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return done(db.ExecContext(ctx, update, id, format, "x")) // want "unfencedwrite"
}

// Good has it from the grant.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/sheet")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return done(db.ExecContext(ctx, update, id, mu.Header().Revision, "x"))
}
