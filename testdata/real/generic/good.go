package generic

import (
	"context"

	"fencelint.example/real/generic/repo"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodSave has a repository that compares.
func GoodSave(ctx context.Context, s *concurrency.Session, r repo.Fenced[Menu], day string, m Menu) error {
	mu := concurrency.NewMutex(s, "/locks/menu")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return r.Save(ctx, day, mu.Header().Revision, m)
}

// saver is what GoodFunc needs, for any kind of document.
type saver[T any] interface {
	Save(ctx context.Context, id string, fence int64, v T) error
}

// GoodFunc writes through a generic function with two type parameters.
func GoodFunc(ctx context.Context, s *concurrency.Session, r repo.Fenced[Menu], day string, m Menu) error {
	mu := concurrency.NewMutex(s, "/locks/menu/func")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return save(ctx, r, day, mu.Header().Revision, m)
}

func save[T any, S saver[T]](ctx context.Context, s S, id string, fence int64, v T) error {
	return s.Save(ctx, id, fence, v)
}

// GoodUnder has a generic function for the lock.
func GoodUnder(ctx context.Context, s *concurrency.Session, r repo.Fenced[Menu], day string, m Menu) (Menu, error) {
	return repo.Under(ctx, s, "/locks/menu/under", func(ctx context.Context, fence int64) (Menu, error) {
		return m, r.Save(ctx, day, fence, m)
	})
}
