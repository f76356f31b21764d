// Package generic writes through code that is written for any type.
package generic

import (
	"context"

	"fencelint.example/real/generic/repo"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Menu is a document.
type Menu struct{ Dishes []string }

// BadSave has a repository of menus that takes every write.
func BadSave(ctx context.Context, s *concurrency.Session, r *repo.Plain[Menu], day string, m Menu) error {
	mu := concurrency.NewMutex(s, "/locks/menu")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return r.Save(ctx, day, m) // want "unfencedwrite"
}

// BadFunc does so through a generic function.
func BadFunc(ctx context.Context, s *concurrency.Session, r *repo.Plain[Menu], day string, m Menu) error {
	mu := concurrency.NewMutex(s, "/locks/menu/func")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return repo.SaveAll(ctx, r, map[string]Menu{day: m}) // want "unfencedwrite"
}

// BadUnder has a generic function for the lock.
func BadUnder(ctx context.Context, s *concurrency.Session, r *repo.Plain[Menu], day string, m Menu) error {
	_, err := repo.Under(ctx, s, "/locks/menu/under", func(ctx context.Context, _ int64) (Menu, error) {
		return m, r.Save(ctx, day, m) // want "unfencedwrite"
	})
	return err
}
