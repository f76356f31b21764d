// Package repair is run by operators.
package repair

import (
	"context"
	"database/sql"
)

// Reset puts a shipment back.
//
//fencelint:admin reason="run by hand, with the workers stopped"
func Reset(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, "UPDATE shipments SET state = 'new' WHERE id = $1", id)
	return err
}

// Forget drops what was never sent.
func Forget(ctx context.Context, db *sql.DB, id string) error {
	//fencelint:accept bypasswrite reason="rows that no worker has taken yet"
	_, err := db.ExecContext(ctx, "DELETE FROM shipments WHERE id = $1 AND state = 'draft'", id)
	return err
}
