// Package rows gives back what its callers have claimed.
package rows

import (
	"context"
	"database/sql"
	"time"
)

// End lets a lease end now.
func End(ctx context.Context, db *sql.DB, name string, epoch int64) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = now() WHERE epoch = $2 AND name = $1`, name, epoch)
	return err
}

// Forget says that it ended long ago.
func Forget(ctx context.Context, db *sql.DB, name string, epoch int64) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = 'epoch' WHERE name = $1 AND epoch = $2`, name, epoch)
	return err
}

// Zero sets the zero time of Go.
func Zero(ctx context.Context, db *sql.DB, name string, epoch int64) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = $3 WHERE name = $1 AND epoch = $2`, name, epoch, time.Time{})
	return err
}

// Clear sets none.
func Clear(ctx context.Context, db *sql.DB, name string, epoch int64) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = NULL WHERE name = $1 AND epoch = $2`, name, epoch)
	return err
}

// Any ends the lease of whoever has it.
func Any(ctx context.Context, db *sql.DB, name string) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = now() WHERE name = $1`, name)
	return err
}

// Note stores what was made, and ends the lease.
func Note(ctx context.Context, db *sql.DB, name string, epoch int64, made string) error {
	_, err := db.ExecContext(ctx, `UPDATE turns SET until = now(), made = $3 WHERE name = $1 AND epoch = $2`, name, epoch, made)
	return err
}
