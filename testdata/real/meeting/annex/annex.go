// Package annex keeps shipments back, and knows nothing of the workers.
package annex

import (
	"context"
	"database/sql"
)

// Keep keeps one back.
func Keep(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, "UPDATE shipments SET state = 'kept' WHERE id = $1", id)
	return err
}
