// Package redislock obtains locks in one Redis.
package redislock

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"github.com/bsm/redislock"
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
func Unfenced(ctx context.Context, c *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := c.Obtain(ctx, "stall", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Cheap needs none.
func Cheap(ctx context.Context, c *redislock.Client, db *sql.DB) error {
	//fencelint:lock efficiency
	lock, err := c.ObtainMulti(ctx, []string{"cache", "page"}, time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	_, err = db.ExecContext(ctx, `UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}

// Random presents the random value as a fence.
func Random(ctx context.Context, c *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := c.Obtain(ctx, "barn", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	return admit(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, lock.Token())) // want "opaquetoken"
}

// Checked asks how long it lasts.
func Checked(ctx context.Context, c *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := c.Obtain(ctx, "stall", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	if left, err := lock.TTL(ctx); err != nil || left == 0 {
		return err
	}
	_, err = db.ExecContext(ctx, open) // want "checknotfence"
	return err
}

// Logged only logs that a renewal failed.
func Logged(ctx context.Context, c *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := redislock.Obtain(ctx, nil, "stall", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	if err := lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
		log.Println("renew:", err)
	}
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
