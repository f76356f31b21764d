// Package redsync locks in a majority of Redis servers.
package redsync

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-redsync/redsync/v4"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

func admit(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Unfenced has no number to present.
func Unfenced(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall", redsync.WithExpiry(time.Minute))
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Random presents the random value as a fence.
func Random(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("barn")
	//fencelint:lock correctness
	if err := m.TryLockContext(ctx); err != nil {
		return err
	}
	defer m.Unlock()
	return admit(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, m.Value())) // want "opaquetoken"
}

// Clock presents the end of the lease.
func Clock(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("shed")
	//fencelint:lock correctness
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	return admit(db.ExecContext(ctx, `UPDATE sheds SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, m.Until().UnixNano())) // want "clocktoken"
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	m.TryLock() // want "acquireignored"
	defer m.Unlock()
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// HalfRead reads one part of the answer of a renewal.
func HalfRead(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	m.ExtendContext(ctx)                // want "renewalerror"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Believes asks whether it is still valid.
func Believes(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	if ok, err := m.ValidContext(ctx); err != nil || !ok {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "checknotfence"
	return err
}
