// Package clerk marks shipments under the lock, through whatever store it is given.
package clerk

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store marks a shipment.
type Store interface {
	Mark(ctx context.Context, id string, epoch int64) error
}

// Clerk marks shipments.
type Clerk struct {
	M *concurrency.Mutex
	S Store
}

// Mark marks one in the hold.
func (c *Clerk) Mark(ctx context.Context, id string) error {
	//fencelint:lock correctness
	if err := c.M.Lock(ctx); err != nil {
		return err
	}
	defer c.M.Unlock(ctx)
	return c.S.Mark(ctx, id, c.M.Header().Revision)
}
