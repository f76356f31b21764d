// Package bunrow keeps a lease in a row that bun writes.
package bunrow

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Take lets the next owner in when the time of the last one is over.
func Take(ctx context.Context, db *bun.DB, name, owner string, until time.Time) (bool, error) {
	res, err := db.NewUpdate().Table("task_locks").Set("owner = ?", owner).Set("expires_at = ?", until). // taken
														Where("name = ?", name).Where("expires_at < now()").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Keep prolongs what its owner has.
func Keep(ctx context.Context, db *bun.DB, name, owner string, until time.Time) error {
	_, err := db.NewUpdate().Table("task_locks").Set("expires_at = ?", until).Where("name = ?", name).Where("owner = ?", owner).Exec(ctx)
	return err
}

// Mark is data: nothing in it is a lock.
func Mark(ctx context.Context, db *bun.DB, id int64) error {
	_, err := db.NewUpdate().Table("orders").Set("seen_at = now()").Where("id = ?", id).Where("seen_at IS NULL").Exec(ctx)
	return err
}
