// Package mutationrow keeps leases in rows of Spanner that mutations write.
package mutationrow

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/spanner"
)

var errTaken = errors.New("taken")

// Acquire takes a lease that nobody has any more.
func Acquire(ctx context.Context, c *spanner.Client, name, me string) error {
	_, err := c.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
		row, err := tx.ReadRow(ctx, "Leases", spanner.Key{name}, []string{"Owner", "ExpiresAt"})
		if err != nil {
			return err
		}
		var owner string
		var until time.Time
		if err := row.Columns(&owner, &until); err != nil {
			return err
		}
		if owner != me && until.After(time.Now()) {
			return errTaken
		}
		return tx.BufferWrite([]*spanner.Mutation{ // taken
			spanner.Update("Leases", []string{"Name", "Owner", "ExpiresAt"}, []any{name, me, time.Now().Add(time.Minute)}),
		})
	})
	return err
}

// Book writes data in the same way.
func Book(ctx context.Context, c *spanner.Client, name, me string) error {
	_, err := c.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
		return tx.BufferWrite([]*spanner.Mutation{
			spanner.Update("Rooms", []string{"Name", "Owner", "ExpiresAt"}, []any{name, me, time.Now().Add(time.Minute)}),
		})
	})
	return err
}
