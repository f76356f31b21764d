// Package refund pays money back and does not know where refunds are kept.
package refund

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store keeps refunds.
type Store interface {
	Refund(ctx context.Context, id, cents int64) error
}

// Clerk refunds one at a time.
type Clerk struct {
	Session *concurrency.Session
	Store   Store
}

// Refund pays back under a lock.
func (c Clerk) Refund(ctx context.Context, id, cents int64) error {
	mu := concurrency.NewMutex(c.Session, "/locks/refund")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return c.Store.Refund(ctx, id, cents)
}
