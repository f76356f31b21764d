// Package advance compares the token and does not leave it behind, so that the row never
// learns of the newer owner.
package advance

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadForgotten compares only.
func BadForgotten(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/forgotten")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "fencenotadvanced"
		`UPDATE wells_plain SET v = $3 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision, v)
	return one(res, err)
}

// BadSame stores what was there.
func BadSame(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/same")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "fencenotadvanced"
		`UPDATE pumps_plain SET v = $3, fence = fence WHERE id = $1 AND fence < $2`, id, mu.Header().Revision, v)
	return one(res, err)
}

// BadHelper compares only, in a helper.
func BadHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/pipe")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return lay(ctx, db, id, mu.Header().Revision, v) // want "fencenotadvanced"
}

func lay(ctx context.Context, db *sql.DB, id, fence int64, v string) error {
	res, err := db.ExecContext(ctx, `UPDATE pipes_plain SET v = $1 WHERE id = $2 AND $3 > fence`, v, id, fence)
	return one(res, err)
}
