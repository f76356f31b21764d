// Package pglock locks by a row of a table, and its number is no fence.
package pglock

import (
	"context"
	"database/sql"
	"errors"

	"cirello.io/pglock"
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
func Unfenced(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireContext(ctx, "stall", pglock.FailIfLocked())
	if err != nil {
		return err
	}
	defer c.ReleaseContext(ctx, l)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Falling presents the version number, which each heartbeat draws anew.
func Falling(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.Acquire("barn")
	if err != nil {
		return err
	}
	defer l.Close()
	return admit(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, l.RecordVersionNumber())) // want "volatiletoken"
}

// Handle takes the handle that comes with the error for a lock.
func Handle(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, _ := c.Acquire("stall", pglock.FailIfLocked()) // want "acquireignored"
	if l == nil {
		return nil
	}
	defer c.Release(l)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Region drops the context that ends with the lease.
func Region(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	return c.Do(ctx, "stall", func(context.Context, *pglock.Lock) error { // want "losssignal"
		_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
		return err
	})
}

// Heeded works under it.
func Heeded(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	return c.Do(ctx, "stall", func(ctx context.Context, _ *pglock.Lock) error {
		_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
		return err
	})
}

// Believes asks whether it gave the lock back.
func Believes(ctx context.Context, c *pglock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.Acquire("stall")
	if err != nil {
		return err
	}
	defer l.Close()
	if err := c.SendHeartbeat(ctx, l); err != nil {
		return err
	}
	if l.IsReleased() {
		return nil
	}
	_, err = db.ExecContext(ctx, open) // want "checknotfence"
	return err
}
