// Package goqurow keeps a lease in a row that goqu writes.
package goqurow

import (
	"context"
	"time"

	"github.com/doug-martin/goqu/v9"
)

// Take lets the next holder in when the time of the last one is over.
func Take(ctx context.Context, db *goqu.Database, name, holder string, now, until time.Time) (bool, error) {
	res, err := db.Update("job_leases").Set(goqu.Record{"holder": holder, "expires_at": until}). // taken
													Where(goqu.C("name").Eq(name), goqu.C("expires_at").Lt(now)).Executor().ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Close closes an order while it is open.
func Close(ctx context.Context, db *goqu.Database, id int64) error {
	_, err := db.Update("orders").Set(goqu.Record{"state": "closed"}).
		Where(goqu.C("id").Eq(id), goqu.C("state").Eq("open")).Executor().ExecContext(ctx)
	return err
}
