// Package counter gives out locks of another package, which that has been asked about.
package counter

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/lentout/drawer"
)

// Opener opens what is locked.
type Opener interface {
	Open(ctx context.Context) error
}

// New chooses what opens.
func New(m *concurrency.Mutex) Opener { return drawer.Drawer{M: m} }

// Serve works behind it.
func Serve(ctx context.Context, o Opener, serve func() error) error {
	if err := o.Open(ctx); err != nil {
		return err
	}
	return serve()
}
