// Package steps runs steps, each when somebody says that it may.
package steps

import (
	"context"
	"database/sql"

	"fencelint.example/real/givenlock/kept"
)

// Delegate says when a step may run.
type Delegate interface {
	WaitToRun(ctx context.Context) (kept.Lock, bool, error)
	Ready(ctx context.Context) (bool, error)
}

// Locked writes while it has the lock that it was given.
func Locked(ctx context.Context, d Delegate, db *sql.DB) error {
	l, run, err := d.WaitToRun(ctx)
	if err != nil || !run {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = db.ExecContext(ctx, `UPDATE steps SET done = true WHERE id = 1`)
	return err
}

// Free writes when it is told to, and is given no lock.
func Free(ctx context.Context, d Delegate, db *sql.DB) error {
	run, err := d.Ready(ctx)
	if err != nil || !run {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE free SET done = true WHERE id = 1`)
	return err
}
