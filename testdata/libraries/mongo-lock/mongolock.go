// Package mongolock locks by documents, and judges their age by its own clock.
package mongolock

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	lock "github.com/square/mongo-lock"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c *lock.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := c.XLock(ctx, "stall", me, lock.LockDetails{TTL: 60}); err != nil {
		return err
	}
	defer c.Unlock(ctx, me)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, c *lock.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	c.XLock(ctx, "stall", me, lock.LockDetails{TTL: 60}) // want "acquireignored"
	defer c.Unlock(ctx, me)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Endless never expires.
func Endless(ctx context.Context, c *lock.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := c.XLock(ctx, "stall", me, lock.LockDetails{}); err != nil { // want "noexpiry"
		return err
	}
	defer c.Unlock(ctx, me)
	c.Renew(ctx, me, 60)                // want "renewalerror"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Late writes when the lock is gone.
func Late(ctx context.Context, c *lock.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := c.XLock(ctx, "stall", me, lock.LockDetails{TTL: 60}); err != nil {
		return err
	}
	if _, err := c.Unlock(ctx, me); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "writeafterrelease"
	return err
}
