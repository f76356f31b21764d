// Package objects calls objects that another package has made, and of which it sees nothing.
package objects

import (
	"context"

	"fencelint.example/real/objects/shelf"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Stamp writes what nothing refuses.
func Stamp(ctx context.Context, s *concurrency.Session, sh shelf.Shelf, id string) error {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return sh.Stamp(ctx, id, "here") // want "unfencedwrite"
}

// Once writes under the number of the grant.
func Once(ctx context.Context, s *concurrency.Session, sh shelf.Shelf, id string) error {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return sh.Once(ctx, id, "here", mu.Header().Revision)
}
