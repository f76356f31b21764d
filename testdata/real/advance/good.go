package advance

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodStored leaves the token behind.
func GoodStored(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/stored")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE wells SET v = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision, v)
	return one(res, err)
}

// GoodTwice hands the same value over twice, under two numbers.
func GoodTwice(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/twice")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision
	res, err := db.ExecContext(ctx,
		`UPDATE pumps SET v = $1, fence = $2 WHERE id = $3 AND fence < $4`, v, fence, id, fence)
	return one(res, err)
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
