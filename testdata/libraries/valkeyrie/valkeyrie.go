// Package valkeyrie locks in whatever store is behind it.
package valkeyrie

import (
	"context"
	"database/sql"
	"time"

	"github.com/kvtools/valkeyrie/store"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Heeded listens to the end of its lock.
func Heeded(ctx context.Context, s store.Store, db *sql.DB) error {
	l, err := s.NewLock(ctx, "stall", &store.LockOptions{TTL: time.Minute})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lost, err := l.Lock(ctx)
	if err != nil {
		return err
	}
	defer l.Unlock(ctx)
	for {
		if _, err := db.ExecContext(ctx, open); err != nil { // want "unfencedwrite"
			return err
		}
		select {
		case <-lost:
			return nil
		case <-time.After(time.Minute):
		}
	}
}

// Deaf throws the channel away, and does not look whether it was granted.
func Deaf(ctx context.Context, l store.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	l.Lock(ctx) // want "losssignal" "acquireignored"
	defer l.Unlock(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
