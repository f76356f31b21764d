// Package boilrow keeps leases in rows that sqlboiler's models write.
package boilrow

import (
	"context"
	"time"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries/qm"

	"fencelint.example/real/leaserows/boilrow/models"
)

// Take lets the next owner in when the time of the last one is over.
func Take(ctx context.Context, db boil.ContextExecutor, name, owner string, until time.Time) (bool, error) {
	n, err := models.TaskLeases(qm.Where("name = ?", name), qm.And("expires_at < ?", time.Now())). // taken
													UpdateAll(ctx, db, models.M{"owner": owner, "expires_at": until})
	return n == 1, err
}

// Keep prolongs what its owner has.
func Keep(ctx context.Context, db boil.ContextExecutor, name, owner string, until time.Time) (bool, error) {
	n, err := models.TaskLeases(qm.Where("name = ?", name), qm.And("owner = ?", owner)).UpdateAll(ctx, db, models.M{"expires_at": until})
	return n == 1, err
}
