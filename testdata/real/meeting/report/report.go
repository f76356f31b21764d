// Package report adds to what is there, and asks for the epoch where it writes over it.
package report

import (
	"context"
	"database/sql"
)

// Add makes a row of its own.
func Add(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, "INSERT INTO shipments (id, state, epoch) VALUES ($1, 'draft', 0)", id)
	return err
}

// Close writes for whoever has the epoch.
func Close(ctx context.Context, db *sql.DB, id string, epoch int64) (bool, error) {
	res, err := db.ExecContext(ctx, "UPDATE shipments SET state = 'closed', epoch = $2 WHERE id = $1 AND epoch <= $2", id, epoch)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
