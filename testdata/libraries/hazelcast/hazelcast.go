// Package hazelcast locks keys of a map, which may be split.
package hazelcast

import (
	"context"
	"database/sql"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, m *hazelcast.Map, db *sql.DB) error {
	ctx = m.NewLockContext(ctx)
	//fencelint:lock correctness
	if err := m.LockWithLease(ctx, "stall", time.Minute); err != nil {
		return err
	}
	defer m.Unlock(ctx, "stall")
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// ErrOnly tests the error only.
func ErrOnly(ctx context.Context, m *hazelcast.Map, db *sql.DB) error {
	ctx = m.NewLockContext(ctx)
	//fencelint:lock correctness
	if _, err := m.TryLockWithLease(ctx, "stall", time.Minute); err != nil { // want "acquireignored"
		return err
	}
	defer m.Unlock(ctx, "stall")
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Endless has a lease of no length.
func Endless(ctx context.Context, m *hazelcast.Map, db *sql.DB) error {
	ctx = m.NewLockContext(ctx)
	//fencelint:lock correctness
	ok, err := m.TryLockWithLeaseAndTimeout(ctx, "stall", 0, time.Second) // want "noexpiry"
	if err != nil || !ok {
		return err
	}
	defer m.Unlock(ctx, "stall")
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Forced takes the lock from whoever has it.
func Forced(ctx context.Context, m *hazelcast.Map, db *sql.DB) error {
	ctx = m.NewLockContext(ctx)
	//fencelint:lock correctness
	if err := m.ForceUnlock(ctx, "stall"); err != nil { // want "lockstolen"
		return err
	}
	//fencelint:lock correctness
	ok, err := m.TryLock(ctx, "stall")
	if err != nil || !ok {
		return err
	}
	defer m.Unlock(ctx, "stall")
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
