// Package entityrow keeps leases in entities of Cloud Datastore.
package entityrow

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/datastore"
)

var errTaken = errors.New("taken")

// Lease says who may work until when.
type Lease struct {
	Holder  string
	Expires time.Time
}

// Acquire takes a lease that nobody has any more.
func Acquire(ctx context.Context, c *datastore.Client, name, me string) error {
	key := datastore.NameKey("Lease", name, nil)
	_, err := c.RunInTransaction(ctx, func(tx *datastore.Transaction) error {
		var now Lease
		if err := tx.Get(key, &now); err != nil && !errors.Is(err, datastore.ErrNoSuchEntity) {
			return err
		}
		if now.Holder != me && now.Expires.After(time.Now()) {
			return errTaken
		}
		_, err := tx.Put(key, &Lease{me, time.Now().Add(time.Minute)}) // taken
		return err
	})
	return err
}

// Release gives it back.
func Release(ctx context.Context, c *datastore.Client, name string) error {
	return c.Delete(ctx, datastore.NameKey("Lease", name, nil))
}

// Count adds to a number in a transaction: nothing in it is a lock.
func Count(ctx context.Context, c *datastore.Client, name string) error {
	key := datastore.NameKey("Count", name, nil)
	_, err := c.RunInTransaction(ctx, func(tx *datastore.Transaction) error {
		var n struct{ N int64 }
		if err := tx.Get(key, &n); err != nil {
			return err
		}
		n.N++
		_, err := tx.Put(key, &n)
		return err
	})
	return err
}
