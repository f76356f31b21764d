// Package pglock locks by an advisory lock of a connection that the library keeps.
package pglock

import (
	"context"
	"database/sql"

	"github.com/allisson/go-pglock/v3"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced writes through the pool: the lock is on another connection.
func Unfenced(ctx context.Context, db *sql.DB) error {
	l, err := pglock.NewLock(ctx, 7, db)
	if err != nil {
		return err
	}
	defer l.Close()
	//fencelint:lock correctness
	if err := l.WaitAndLock(ctx); err != nil {
		return err
	}
	defer l.Unlock(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored takes the name for what it does: Lock tries once, and says no without an error.
func Ignored(ctx context.Context, db *sql.DB) error {
	l, err := pglock.NewLock(ctx, 7, db)
	if err != nil {
		return err
	}
	defer l.Close()
	//fencelint:lock correctness
	if _, err := l.Lock(ctx); err != nil { // want "acquireignored"
		return err
	}
	defer l.Unlock(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Cheap looks at both parts.
func Cheap(ctx context.Context, db *sql.DB) error {
	l, err := pglock.NewLock(ctx, 8, db)
	if err != nil {
		return err
	}
	defer l.Close()
	//fencelint:lock efficiency
	ok, err := l.Lock(ctx)
	if err != nil || !ok {
		return err
	}
	defer l.Unlock(ctx)
	_, err = db.ExecContext(ctx, `UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}
