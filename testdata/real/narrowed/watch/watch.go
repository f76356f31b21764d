// Package watch says itself what it needs of a shelf.
package watch

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Refillable is all that a watch needs.
type Refillable interface {
	Refill(ctx context.Context) error
}

// Watch refills.
type Watch struct {
	Mutex *concurrency.Mutex
	Shelf Refillable
}

// Run refills once.
func (w *Watch) Run(ctx context.Context) error {
	//fencelint:lock correctness
	if err := w.Mutex.Lock(ctx); err != nil {
		return err
	}
	defer w.Mutex.Unlock(context.WithoutCancel(ctx))
	return w.Shelf.Refill(ctx)
}
