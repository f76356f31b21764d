// Package asks a store whether it can do more than it must.
package asks

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store is what is needed.
type Store interface {
	Load(ctx context.Context) (int, error)
}

// Cleaner is what some stores can do besides.
type Cleaner interface {
	Clean(ctx context.Context, epoch int64) error
}

// Run cleans what can be cleaned.
func Run(ctx context.Context, s *concurrency.Session, st Store) error {
	mu := concurrency.NewMutex(s, "/locks/clean")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if c, ok := st.(Cleaner); ok {
		return c.Clean(ctx, mu.Header().Revision)
	}
	return nil
}
