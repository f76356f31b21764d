// Package suite offers others what to test their stores with.
package suite

import (
	"context"
	"testing"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store is what is tested.
type Store interface {
	Save(ctx context.Context, name string) error
}

// Conforms is a test, whatever its file is called: what it locks is its own affair.
func Conforms(t *testing.T, s *concurrency.Session, store Store) {
	mu := concurrency.NewMutex(s, "/locks/suite")
	if err := mu.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer mu.Unlock(t.Context())
	if err := store.Save(t.Context(), "once"); err != nil {
		t.Fatal(err)
	}
}

// Timed is a benchmark, with its steps in a literal.
func Timed(b testing.TB, s *concurrency.Session, store Store) {
	save := func(name string) error {
		mu := concurrency.NewMutex(s, "/locks/timed")
		if err := mu.Lock(b.Context()); err != nil {
			return err
		}
		defer mu.Unlock(b.Context())
		return store.Save(b.Context(), name)
	}
	if err := save("twice"); err != nil {
		b.Fatal(err)
	}
}

// Save is none.
func Save(ctx context.Context, s *concurrency.Session, store Store) error {
	mu := concurrency.NewMutex(s, "/locks/save")
	if err := mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return store.Save(ctx, "always")
}
