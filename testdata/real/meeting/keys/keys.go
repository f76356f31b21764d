// Package keys keeps leases in rows, for whoever asks.
package keys

import (
	"context"
	"database/sql"
)

// Take takes the lease of a name.
func Take(ctx context.Context, db *sql.DB, name, holder string) (int64, error) {
	var epoch int64
	err := db.QueryRowContext(ctx, "UPDATE keys SET holder = $2, epoch = epoch + 1, until = now() + interval '1 minute' WHERE name = $1 AND until < now() RETURNING epoch", name, holder).Scan(&epoch)
	return epoch, err
}

// Drop gives back the lease of a holder.
func Drop(ctx context.Context, db *sql.DB, name, holder string) error {
	_, err := db.ExecContext(ctx, "UPDATE keys SET holder = NULL WHERE name = $1 AND holder = $2", name, holder)
	return err
}
