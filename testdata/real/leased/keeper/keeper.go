// Package keeper is given documents by its caller: which type hands them out is not seen.
package keeper

import (
	"context"
	"database/sql"
	"time"

	"fencelint.example/real/leased/docs"
)

// Keeper keeps leases that others have taken.
type Keeper struct {
	docs docs.Docs
	db   *sql.DB
}

// New keeps the leases of docs.
func New(d docs.Docs, db *sql.DB) *Keeper { return &Keeper{d, db} }

// Keep prolongs a lease until it is told to stop, or the lease is lost.
func (k *Keeper) Keep(ctx context.Context, cancel func(), d *docs.Doc) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			if _, err := k.docs.Lease(ctx, d.Key); err != nil {
				cancel()
				return
			}
			select {
			case <-t.C:
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// Reopen takes a document and works at it.
func (k *Keeper) Reopen(ctx context.Context, key string) error {
	d, err := k.docs.Lease(ctx, key) // open
	if err != nil {
		return err
	}
	if _, err := k.db.ExecContext(ctx, `UPDATE pages SET read = false WHERE doc = $1`, d.Key); err != nil {
		return err
	}
	_, err = k.docs.EndLease(ctx, key, d.State)
	return err
}

// Counted counts what it passes on: whoever calls it takes the lease.
type Counted struct {
	docs  docs.Docs
	count int
}

// Lease passes on.
func (c *Counted) Lease(ctx context.Context, key string) (*docs.Doc, error) {
	c.count++
	return c.docs.Lease(ctx, key)
}

// Dequeue passes on.
func (c *Counted) Dequeue(ctx context.Context) (*docs.Doc, error) {
	c.count++
	return c.docs.Dequeue(ctx)
}

// EndLease passes on.
func (c *Counted) EndLease(ctx context.Context, key, state string) (*docs.Doc, error) {
	return c.docs.EndLease(ctx, key, state)
}

// Count is how many were asked for.
func (c *Counted) Count(context.Context) (int, error) { return c.count, nil }
