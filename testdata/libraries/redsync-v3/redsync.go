// Package redsync uses the third version.
package redsync

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-redsync/redsync/v3"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall", redsync.SetExpiry(time.Minute))
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	m.Lock() // want "acquireignored"
	defer m.Unlock()
	m.Extend()                          // want "renewalerror"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Believes asks whether it is still valid.
func Believes(rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	if ok, err := m.Valid(); err != nil || !ok {
		return err
	}
	_, err := db.Exec(open) // want "checknotfence"
	return err
}
