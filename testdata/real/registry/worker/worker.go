// Package worker works under a lock.
package worker

import (
	"context"

	"fencelint.example/real/registry/store"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Worker works.
type Worker struct {
	M *concurrency.Mutex
	S store.Store
}

// Run works.
func (w *Worker) Run(ctx context.Context) error {
	//fencelint:lock correctness
	if err := w.M.Lock(ctx); err != nil {
		return err
	}
	defer w.M.Unlock(ctx)
	return w.S.Save(ctx, w.M.Header().Revision, 1)
}
