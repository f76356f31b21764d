// Package desk serves people, and knows nothing of the workers.
package desk

import (
	"context"
	"database/sql"
)

// Cancel stops a shipment, whoever works on it.
func Cancel(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, "UPDATE shipments SET state = 'cancelled' WHERE id = $1", id)
	return err
}

// Note writes what nobody protects.
func Note(ctx context.Context, db *sql.DB, id, text string) error {
	_, err := db.ExecContext(ctx, "UPDATE notes SET body = $1 WHERE shipment = $2", text, id)
	return err
}
