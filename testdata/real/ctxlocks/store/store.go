// Package store keeps feeds in a table.
package store

import (
	"context"
	"database/sql"

	"fencelint.example/real/ctxlocks/sweeper"
)

// Feeds is the store.
type Feeds struct{ DB *sql.DB }

var _ sweeper.Store = (*Feeds)(nil)

// Sweep removes what is old.
func (f *Feeds) Sweep(ctx context.Context) error {
	_, err := f.DB.ExecContext(ctx, "DELETE FROM feeds WHERE seen < now() - interval '1 day'")
	return err
}

// Fetch notes that a feed was read.
func (f *Feeds) Fetch(ctx context.Context, name string) error {
	_, err := f.DB.ExecContext(ctx, "UPDATE feeds SET seen = now() WHERE name = $1", name)
	return err
}
