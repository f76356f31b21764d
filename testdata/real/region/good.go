package region

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/region/under"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// withNumber runs fn while it holds key and tells it the number of this owner.
func withNumber(ctx context.Context, s *concurrency.Session, key string, fn func(ctx context.Context, fence int64) error) error {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, mu.Header().Revision)
}

// GoodHere compares the number that it is told.
func GoodHere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return withNumber(ctx, s, "/locks/oven", func(ctx context.Context, fence int64) error {
		res, err := db.ExecContext(ctx, `UPDATE ovens SET hot = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		return one(res, err)
	})
}

// GoodThere does so under a region of another package, and has a result of its own.
func GoodThere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (degrees int64, err error) {
	err = under.Lock(ctx, s, "/locks/stove", func(ctx context.Context, fence int64) error {
		return db.QueryRowContext(ctx,
			`UPDATE stoves SET degrees = degrees + 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING degrees`,
			id, fence).Scan(&degrees)
	})
	return degrees, err
}

// GoodRead only reads.
func GoodRead(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (hot bool, err error) {
	err = withLock(ctx, s, "/locks/look", func(ctx context.Context) error {
		return db.QueryRowContext(ctx, `SELECT hot FROM ovens WHERE id = $1`, id).Scan(&hot)
	})
	return hot, err
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
