// Package wire hands a watch the shelf that it found: a value of one interface becomes one
// of another, and the type behind both is nowhere named here.
package wire

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/narrowed/stock"
	"fencelint.example/real/narrowed/watch"
)

// Watch watches a shelf.
func Watch(ctx context.Context, mu *concurrency.Mutex, shelves stock.Shelves, name string) error {
	s, err := shelves.Find(ctx, name)
	if err != nil {
		return err
	}
	w := &watch.Watch{
		Mutex: mu,
		Shelf: s, // want "unfencedwrite"
	}
	return w.Run(ctx)
}
