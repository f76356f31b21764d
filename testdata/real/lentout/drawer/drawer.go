// Package drawer has a lock that tries again, and asks itself what that is for.
package drawer

import (
	"context"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errTaken = errors.New("taken")

// Drawer is locked.
type Drawer struct{ M *concurrency.Mutex }

// Open locks a drawer, and tries again where it is taken.
func (d Drawer) Open(ctx context.Context) error {
	for range 3 {
		if err := d.Try(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errTaken
}

// Try locks a drawer.
func (d Drawer) Try(ctx context.Context) error { // want "lockclass"
	return d.M.TryLock(ctx)
}
