// Package rows keeps outputs in a database.
package rows

import (
	"context"
	"database/sql"
)

// Table has a row for each output.
type Table struct{ DB *sql.DB }

// Save inserts a row once: the name of a column makes no lock of it.
func (t *Table) Save(ctx context.Context, id int64, lockfile string) error {
	_, err := t.DB.ExecContext(ctx, "INSERT INTO outputs (id, lockfile) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, lockfile)
	return err
}

// Finish says that a step is done.
func (t *Table) Finish(ctx context.Context, id int64) error {
	_, err := t.DB.ExecContext(ctx, "UPDATE steps SET done = true WHERE id = $1", id)
	return err
}
