// Package workrow writes, under a lock, rows whose columns are called like those of a lease:
// what brings the lock's number, or the results of the work, is no other lock.
package workrow

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errLost = errors.New("a newer owner was there")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

func under(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	m := concurrency.NewMutex(s, "/locks/freight")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return do(m.Header().Revision)
}

// GoodFree compares and stores the number.
func GoodFree(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return under(ctx, s, func(epoch int64) error {
		return one(db.ExecContext(ctx, `UPDATE freight SET leased_by = NULL, lease_term = $2 WHERE id = $1 AND lease_term < $2`, id, epoch))
	})
}

// BadFree asks for the one or the other.
func BadFree(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return under(ctx, s, func(epoch int64) error {
		return one(db.ExecContext(ctx, `UPDATE freight SET leased_by = NULL, lease_term = $2 WHERE id = $1 OR lease_term < $2`, id, epoch)) // want "staleadmitted|guardbypass"
	})
}

// BadFreeUnheard does not hear that it was refused.
func BadFreeUnheard(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return under(ctx, s, func(epoch int64) error {
		_, err := db.ExecContext(ctx, `UPDATE freight SET leased_by = NULL, lease_term = $2 WHERE id = $1 AND lease_term < $2`, id, epoch) // want "rejectionignored"
		return err
	})
}

const claim = `UPDATE crates SET lease_token = $2, lease_until = now() + interval '1 minute' WHERE id = $1 AND lease_until < now()`

// GoodStore stores what it has made in the row that it has claimed.
func GoodStore(ctx context.Context, db *sql.DB, id int64, out []byte) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, claim, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE crates SET label = $3, lease_until = 'epoch' WHERE id = $1 AND lease_token = $2`, id, me, out))
}

// BadStore stores it in any of them.
func BadStore(ctx context.Context, db *sql.DB, id int64, out []byte) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, claim, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE crates SET label = $3, lease_until = 'epoch' WHERE id = $1 OR lease_token = $2`, id, me, out)) // want "unfencedwrite"
}

// BadStoreUnheard does not hear that it was refused.
func BadStoreUnheard(ctx context.Context, db *sql.DB, id int64, out []byte) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, claim, id, me)); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE crates SET label = $3, lease_until = 'epoch' WHERE id = $1 AND lease_token = $2`, id, me, out) // want "rejectionignored"
	return err
}

// BadOrdered asks whether a lease is smaller than another: a lease row asks that of times alone.
func BadOrdered(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return under(ctx, s, func(int64) error {
		return one(db.ExecContext(ctx, `UPDATE berths SET n = n + 1, lease = $2 WHERE id = $1 AND lease < $2`, id, s.Lease())) // want "opaquetoken"
	})
}
