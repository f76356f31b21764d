package wrapper

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/wrapper/locks"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodReturned compares the revision of the mutex that it was given.
func GoodReturned(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := acquire(ctx, s, "/locks/door")
	if err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE doors SET open = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	return one(res, err)
}

// GoodHandle compares the epoch of a handle.
func GoodHandle(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	h, err := locks.Hold(ctx, s, "/locks/hatch")
	if err != nil {
		return err
	}
	defer h.Release(context.WithoutCancel(ctx))
	return bolt(ctx, db, id, h.Epoch())
}

func bolt(ctx context.Context, db *sql.DB, id, epoch int64) error {
	res, err := db.ExecContext(ctx,
		`UPDATE hatches SET open = false, epoch = $2 WHERE id = $1 AND epoch < $2`, id, epoch)
	return one(res, err)
}

// GoodNumbered has the number beside the function that unlocks.
func GoodNumbered(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	epoch, unlock, err := locks.Numbered(ctx, s, "/locks/wicket")
	if err != nil {
		return err
	}
	defer unlock()
	return bolt(ctx, db, id, epoch)
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
