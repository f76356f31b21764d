// Package nomad locks variables of Nomad.
package nomad

import (
	"context"
	"database/sql"

	"github.com/hashicorp/nomad/api"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, l *api.Locks, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := l.Acquire(ctx); err != nil {
		return err
	}
	defer l.Release(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock, and without its renewal.
func Ignored(ctx context.Context, l *api.Locks, db *sql.DB) error {
	//fencelint:lock correctness
	l.Acquire(ctx) // want "acquireignored"
	defer l.Release(ctx)
	l.Renew(ctx)                        // want "renewalerror"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Variable locks one itself.
func Variable(vars *api.Variables, db *sql.DB) error {
	v := &api.Variable{Path: "stall", Lock: &api.VariableLock{TTL: "60s"}}
	//fencelint:lock correctness
	held, _, err := vars.AcquireLock(v, nil)
	if err != nil {
		return err
	}
	defer vars.ReleaseLock(held, nil)
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// Region drops the context that ends with the lease.
func Region(ctx context.Context, c *api.Client, l *api.Locks, db *sql.DB) error {
	//fencelint:lock correctness
	return c.NewLockLeaser(l).Start(ctx, func(context.Context) error { // want "losssignal"
		_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
		return err
	})
}

// Heeded works under it.
func Heeded(ctx context.Context, c *api.Client, l *api.Locks, db *sql.DB) error {
	//fencelint:lock correctness
	return c.NewLockLeaser(l).Start(ctx, func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
		return err
	})
}
