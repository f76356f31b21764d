// Package dynamolock locks by an item of a table.
package dynamolock

import (
	"context"
	"database/sql"
	"os"
	"time"

	"cirello.io/dynamolock"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c *dynamolock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireLockWithContext(ctx, "stall", dynamolock.FailIfLocked())
	if err != nil {
		return err
	}
	defer c.ReleaseLock(l)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Monitored ends when the lease does.
func Monitored(ctx context.Context, c *dynamolock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireLock("stall", dynamolock.WithSessionMonitor(time.Second, func() { os.Exit(1) }))
	if err != nil {
		return err
	}
	defer l.Close()
	for {
		if _, err := db.ExecContext(ctx, open); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Minute)
	}
}

// Deaf works on for ever and has nobody tell it.
func Deaf(ctx context.Context, c *dynamolock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireLock("stall") // want "losssignal"
	if err != nil {
		return err
	}
	defer l.Close()
	for {
		if _, err := db.ExecContext(ctx, open); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Minute)
	}
}

// Believes asks its own clock.
func Believes(ctx context.Context, c *dynamolock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireLock("stall")
	if err != nil {
		return err
	}
	defer l.Close()
	if l.IsExpired() {
		return nil
	}
	_, err = db.ExecContext(ctx, open) // want "checknotfence"
	return err
}

// Unheard drops the failure of a heartbeat.
func Unheard(ctx context.Context, c *dynamolock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.AcquireLock("stall")
	if err != nil {
		return err
	}
	defer l.Close()
	c.SendHeartbeat(l)                 // want "renewalerror"
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
