// Package generalcount holds its lock in a function for any type, which gives back what was
// done: a count, or a yes.
package generalcount

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

type depot struct {
	m  *concurrency.Mutex
	db *sql.DB
}

//fencelint:lock correctness
func with[T any](ctx context.Context, d *depot, do func(ctx context.Context, epoch int64) (T, error)) (done T, err error) {
	if err := d.m.Lock(ctx); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, d.m.Unlock(context.WithoutCancel(ctx))) }()
	return do(ctx, d.m.Header().Revision)
}

func (d *depot) fill(ctx context.Context, epoch int64) (int64, error) {
	res, err := d.db.ExecContext(ctx, "UPDATE depots SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Count looks at the count.
func (d *depot) Count(ctx context.Context) error {
	n, err := with(ctx, d, func(ctx context.Context, epoch int64) (int64, error) { return d.fill(ctx, epoch) })
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// CountDropped does not.
func (d *depot) CountDropped(ctx context.Context) error {
	_, err := with(ctx, d, func(ctx context.Context, epoch int64) (int64, error) {
		return d.fill(ctx, epoch) // want "rejectionignored"
	})
	return err
}

// Tell looks at the answer.
func (d *depot) Tell(ctx context.Context) error {
	ok, err := with(ctx, d, func(ctx context.Context, epoch int64) (bool, error) {
		n, err := d.fill(ctx, epoch)
		return n == 1, err
	})
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	return nil
}

// TellDropped does not.
func (d *depot) TellDropped(ctx context.Context) error {
	ok, err := with(ctx, d, func(ctx context.Context, epoch int64) (bool, error) {
		n, err := d.fill(ctx, epoch) // want "rejectionignored"
		return n == 1, err
	})
	if ok {
		println("filled")
	}
	return err
}
