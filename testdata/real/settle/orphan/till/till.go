// Package till counts money in a drawer that somebody else brings along.
package till

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Drawer takes coins.
type Drawer interface {
	PutCoins(ctx context.Context, coins int64) error
}

// Count puts coins into a drawer that one till at a time may open.
func Count(ctx context.Context, s *concurrency.Session, d Drawer, coins int64) error {
	mu := concurrency.NewMutex(s, "/locks/drawer")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return d.PutCoins(ctx, coins)
}
