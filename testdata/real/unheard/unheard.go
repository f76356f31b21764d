// Package unheard has refusals that get lost between the statement and the caller, and
// others in the same form that do not.
package unheard

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Store has a lock and a database.
type Store struct {
	db *sql.DB
	s  *concurrency.Session
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

func (r *Store) with(ctx context.Context, name string, fn func(ctx context.Context, e int64) error) error {
	m := concurrency.NewMutex(r.s, name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, m.Header().Revision)
}

type temporary interface{ Temporary() bool }

// BadAsserted gives back only errors of another type than the refusal has.
func (r *Store) BadAsserted(ctx context.Context) error {
	return r.with(ctx, "badasserted", func(ctx context.Context, e int64) error {
		err := one(r.db.ExecContext(ctx, `UPDATE badasserted SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e)) // want "rejectionignored"
		if t, ok := err.(temporary); ok && t.Temporary() {
			return err
		}
		return nil
	})
}

// BadAs asks errors.As for a type that the refusal has not.
func (r *Store) BadAs(ctx context.Context) error {
	return r.with(ctx, "badas", func(ctx context.Context, e int64) error {
		err := one(r.db.ExecContext(ctx, `UPDATE badas SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e)) // want "rejectionignored"
		var t temporary
		if errors.As(err, &t) {
			return err
		}
		return nil
	})
}

// BadLast gives back what became of the last statement.
func (r *Store) BadLast(ctx context.Context, ids []int64) error {
	return r.with(ctx, "badlast", func(ctx context.Context, e int64) error {
		var err error
		for _, id := range ids {
			err = one(r.db.ExecContext(ctx, `UPDATE badlast SET st='x', epoch=$1 WHERE id=$2 AND epoch<$1`, e, id)) // want "rejectionignored"
		}
		return err
	})
}

// GoodFirst gives back the first error.
func (r *Store) GoodFirst(ctx context.Context, ids []int64) error {
	return r.with(ctx, "goodfirst", func(ctx context.Context, e int64) error {
		var first error
		for _, id := range ids {
			if err := one(r.db.ExecContext(ctx, `UPDATE goodfirst SET st='x', epoch=$1 WHERE id=$2 AND epoch<$1`, e, id)); err != nil && first == nil {
				first = err
			}
		}
		return first
	})
}

// GoodJoined gives back all errors.
func (r *Store) GoodJoined(ctx context.Context, ids []int64) error {
	return r.with(ctx, "goodjoined", func(ctx context.Context, e int64) error {
		var errs []error
		for _, id := range ids {
			if err := one(r.db.ExecContext(ctx, `UPDATE goodjoined SET st='x', epoch=$1 WHERE id=$2 AND epoch<$1`, e, id)); err != nil {
				errs = append(errs, err)
			}
		}
		return errors.Join(errs...)
	})
}

// BadAny is content if one statement was taken.
func (r *Store) BadAny(ctx context.Context, ids []int64) error {
	return r.with(ctx, "badany", func(ctx context.Context, e int64) error {
		done := 0
		for _, id := range ids {
			if one(r.db.ExecContext(ctx, `UPDATE badany SET st='x', epoch=$1 WHERE id=$2 AND epoch<$1`, e, id)) == nil { // want "rejectionignored"
				done++
			}
		}
		if done == 0 {
			return errStale
		}
		return nil
	})
}

// GoodCounted counts the refusals and tells of them.
func (r *Store) GoodCounted(ctx context.Context, ids []int64) error {
	return r.with(ctx, "goodcounted", func(ctx context.Context, e int64) error {
		failed := 0
		for _, id := range ids {
			if one(r.db.ExecContext(ctx, `UPDATE goodcounted SET st='x', epoch=$1 WHERE id=$2 AND epoch<$1`, e, id)) != nil {
				failed++
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d refused", failed)
		}
		return nil
	})
}

// GoodFlag notes the refusal in an atomic and asks it.
func (r *Store) GoodFlag(ctx context.Context) error {
	return r.with(ctx, "goodflag", func(ctx context.Context, e int64) error {
		var stale atomic.Bool
		if err := one(r.db.ExecContext(ctx, `UPDATE goodflag SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e)); err != nil {
			stale.Store(true)
		}
		if stale.Load() {
			return errStale
		}
		return nil
	})
}

// GoodReceived gives back what it receives.
func (r *Store) GoodReceived(ctx context.Context) error {
	return r.with(ctx, "goodreceived", func(ctx context.Context, e int64) error {
		errs := make(chan error, 1)
		go func() {
			errs <- one(r.db.ExecContext(ctx, `UPDATE goodreceived SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e))
		}()
		return <-errs
	})
}

// BadReceived waits for the goroutine and throws away what that sends.
func (r *Store) BadReceived(ctx context.Context) error {
	return r.with(ctx, "badreceived", func(ctx context.Context, e int64) error {
		errs := make(chan error, 1)
		go func() {
			errs <- one(r.db.ExecContext(ctx, `UPDATE badreceived SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e)) // want "rejectionignored"
		}()
		<-errs
		return nil
	})
}

// GoodAs tells its own error from others.
func (r *Store) GoodAs(ctx context.Context) error {
	return r.with(ctx, "goodas", func(ctx context.Context, e int64) error {
		err := one(r.db.ExecContext(ctx, `UPDATE goodas SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e))
		var t temporary
		if errors.As(err, &t) {
			return fmt.Errorf("again: %w", err)
		}
		return err
	})
}

// GoodAnew takes the lock again after a refusal.
func (r *Store) GoodAnew(ctx context.Context) error {
	var err error
	for range 3 {
		err = r.with(ctx, "goodanew", func(ctx context.Context, e int64) error {
			return one(r.db.ExecContext(ctx, `UPDATE goodanew SET st='x', epoch=$1 WHERE id=1 AND epoch<$1`, e))
		})
		if err == nil {
			return nil
		}
	}
	return err
}
