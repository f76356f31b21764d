// Package entrow keeps leases in rows that ent writes.
package entrow

import (
	"context"
	"time"

	"fencelint.example/real/leaserows/entrow/ent"
	"fencelint.example/real/leaserows/entrow/ent/tasklease"
)

// Take lets the next owner in when the time of the last one is over.
func Take(ctx context.Context, c *ent.Client, name, owner string, until time.Time) (bool, error) {
	n, err := c.TaskLease.Update(). // taken
					Where(tasklease.NameEQ(name), tasklease.Or(tasklease.OwnerIsNil(), tasklease.ExpiresAtLT(time.Now()))).
					SetOwner(owner).SetExpiresAt(until).Save(ctx)
	return n == 1, err
}

// Keep prolongs what its owner has.
func Keep(ctx context.Context, c *ent.Client, name, owner string, until time.Time) (bool, error) {
	n, err := c.TaskLease.Update().Where(tasklease.NameEQ(name), tasklease.OwnerEQ(owner)).SetExpiresAt(until).Save(ctx)
	return n == 1, err
}

// Drop gives it back.
func Drop(ctx context.Context, c *ent.Client, name, owner string) error {
	_, err := c.TaskLease.Update().Where(tasklease.NameEQ(name), tasklease.OwnerEQ(owner)).ClearOwner().Save(ctx)
	return err
}
