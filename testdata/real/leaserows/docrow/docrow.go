// Package docrow keeps leases in documents of Firestore.
package docrow

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

var errTaken = errors.New("taken")

type lease struct {
	Owner   string    `firestore:"owner"`
	Expires time.Time `firestore:"expires_at"`
}

// Leases are those of one process.
type Leases struct {
	c  *firestore.Client
	me string
}

// Acquire takes a lease that nobody has any more.
func (l *Leases) Acquire(ctx context.Context, name string) error {
	ref := l.c.Collection("leases").Doc(name)
	return l.c.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		snap, err := tx.Get(ref)
		if err != nil && status.Code(err) != codes.NotFound {
			return err
		}
		if err == nil {
			var now lease
			if err := snap.DataTo(&now); err != nil {
				return err
			}
			if now.Owner != l.me && time.Now().Before(now.Expires) {
				return errTaken
			}
		}
		return tx.Set(ref, lease{l.me, time.Now().Add(time.Minute)}) // taken
	})
}

// Renew keeps it.
func (l *Leases) Renew(ctx context.Context, name string) error {
	ref := l.c.Collection("leases").Doc(name)
	return l.c.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if _, err := tx.Get(ref); err != nil {
			return err
		}
		return tx.Set(ref, lease{l.me, time.Now().Add(time.Minute)})
	})
}

// Release gives it back.
func (l *Leases) Release(ctx context.Context, name string) error {
	_, err := l.c.Collection("leases").Doc(name).Delete(ctx)
	return err
}

// Lock creates a document that nobody may have created.
func (l *Leases) Lock(ctx context.Context, name string) error {
	_, err := l.c.Collection("locks").Doc(name).Create(ctx, map[string]any{"owner": l.me}) // taken
	return err
}

// Unlock deletes it.
func (l *Leases) Unlock(ctx context.Context, name string) error {
	_, err := l.c.Collection("locks").Doc(name).Delete(ctx)
	return err
}

// Sweep works under a lease.
func (l *Leases) Sweep(ctx context.Context) error {
	if err := l.Acquire(ctx, "sweep"); err != nil { // taken
		return err
	}
	defer l.Release(ctx, "sweep")
	_, err := l.c.Collection("jobs").Doc("sweep").Set(ctx, map[string]any{"done": true})
	return err
}

// Beat says that a worker lives: nobody else writes its document.
func (l *Leases) Beat(ctx context.Context) error {
	ref := l.c.Collection("workers").Doc(l.me)
	return l.c.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
		if _, err := tx.Get(ref); err != nil {
			return err
		}
		return tx.Set(ref, map[string]any{"owner": l.me, "last_seen": time.Now()})
	})
}

// Describe writes about a lease, and does not take it.
func (l *Leases) Describe(ctx context.Context, name, text string) error {
	_, err := l.c.Collection("leases").Doc(name).Set(ctx, map[string]any{"text": text})
	return err
}
