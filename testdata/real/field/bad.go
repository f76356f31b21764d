// Package field keeps the lock in a field, locks in one method and unlocks in another.
package field

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Loose is a desk whose writes nobody compares.
type Loose struct {
	db *sql.DB
	//fencelint:lock correctness
	mu *concurrency.Mutex
}

// NewLoose returns a desk that nobody sits at.
func NewLoose(s *concurrency.Session, db *sql.DB, name string) *Loose {
	return &Loose{db: db, mu: concurrency.NewMutex(s, "/locks/desk/"+name)}
}

// Sit waits for the desk.
func (d *Loose) Sit(ctx context.Context) error { return d.mu.Lock(ctx) }

// Sign writes at the desk.
func (d *Loose) Sign(ctx context.Context, paper int64) error {
	_, err := d.db.ExecContext(ctx, `UPDATE papers_plain SET signed = true WHERE id = $1`, paper)
	return err
}

// Leave frees the desk.
func (d *Loose) Leave(ctx context.Context) error { return d.mu.Unlock(ctx) }

// BadSign sits down, signs and leaves.
func BadSign(ctx context.Context, d *Loose, paper int64) error {
	if err := d.Sit(ctx); err != nil {
		return err
	}
	defer d.Leave(context.WithoutCancel(ctx))
	return d.Sign(ctx, paper) // want "unfencedwrite"
}
