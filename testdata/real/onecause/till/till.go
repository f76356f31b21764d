// Package till counts money under a lock, and writes it down through an interface.
package till

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Drawer keeps sums.
type Drawer interface {
	Put(ctx context.Context, day string, cents int64) error
}

// Till has a drawer.
type Till struct {
	mu *concurrency.Mutex
	d  Drawer
}

// New is a till.
func New(mu *concurrency.Mutex, d Drawer) *Till { return &Till{mu, d} }

// Close writes down the sum of a day.
func (t *Till) Close(ctx context.Context, day string, cents int64) error {
	//fencelint:lock correctness
	if err := t.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = t.mu.Unlock(context.WithoutCancel(ctx)) }()
	return t.d.Put(ctx, day, cents)
}

// Peek has nothing to do with the lock.
func Peek(ctx context.Context, d Drawer) error { return d.Put(ctx, "never", 0) }
