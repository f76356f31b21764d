// Package worker works for a store, of which it only knows what it can do. Its tests know one.
package worker

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/testimports/kept"
)

// Worker sets prices.
type Worker struct {
	Session *concurrency.Session
	Store   kept.Store
}

// Set sets a price.
func (w *Worker) Set(ctx context.Context, name string, price int64) error {
	m := concurrency.NewMutex(w.Session, "/prices")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return w.Store.Put(ctx, name, price)
}
