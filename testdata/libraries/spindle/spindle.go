// Package spindle leads by a row of Spanner, and shows a number that is a hash.
package spindle

import (
	"context"
	"database/sql"

	"cloud.google.com/go/spanner"
	"github.com/flowerinthenight/spindle/v2"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Hashed presents a number that looks like an epoch and has no order.
func Hashed(ctx context.Context, c *spanner.Client, db *sql.DB) error {
	l := spindle.New(c, "locks", "market")
	//fencelint:lock correctness
	if err := l.Run(ctx); err != nil {
		return err
	}
	leads, token := l.HasLock()
	if !leads {
		return nil
	}
	_, err := db.ExecContext(ctx, `UPDATE markets SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(token)) // want "opaquetoken"
	return err
}

// Believes asks whether it leads.
func Believes(ctx context.Context, l *spindle.Lock, db *sql.DB) error {
	leads, _, _ := l.HasLock2()
	if !leads {
		return nil
	}
	_, err := db.ExecContext(ctx, open) // want "checknotfence"
	return err
}
