// Package rueidislock locks in a majority of keys, and tells of a loss by a context.
package rueidislock

import (
	"context"
	"database/sql"

	"github.com/redis/rueidis/rueidislock"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Threaded works under the context that ends with the lock.
func Threaded(ctx context.Context, l rueidislock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ctx, cancel, err := l.WithContext(ctx, "stall")
	if err != nil {
		return err
	}
	defer cancel()
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Parent works under the one that does not.
func Parent(ctx context.Context, l rueidislock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	_, cancel, err := l.TryWithContext(ctx, "stall") // want "losssignal"
	if err != nil {
		return err
	}
	defer cancel()
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Forced takes the lock from whoever has it.
func Forced(ctx context.Context, l rueidislock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ctx, cancel, err := l.ForceWithContext(ctx, "stall") // want "lockstolen"
	if err != nil {
		return err
	}
	defer cancel()
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, l rueidislock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ctx, cancel, _ := l.TryWithContext(ctx, "stall") // want "acquireignored"
	if cancel != nil {
		defer cancel()
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Late writes when the lock is given back.
func Late(ctx context.Context, l rueidislock.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	_, cancel, err := l.WithContext(ctx, "stall")
	if err != nil {
		return err
	}
	cancel()
	_, err = db.ExecContext(ctx, open) // want "writeafterrelease"
	return err
}
