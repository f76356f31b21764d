// Package ledger is written by those who have the lock.
package ledger

import (
	"context"
	"database/sql"
)

// Book notes the cost of a shipment. That it compares nothing is told where the lock is: it
// goes past nobody.
func Book(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, "UPDATE shipments SET booked = true WHERE id = $1", id)
	return err
}
