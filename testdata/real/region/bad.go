// Package region runs functions under a lock.
package region

import (
	"context"
	"database/sql"

	"fencelint.example/real/region/under"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// withLock runs fn while it holds key.
func withLock(ctx context.Context, s *concurrency.Session, key string, fn func(ctx context.Context) error) error {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return fn(ctx)
}

// BadHere writes in a literal under a region of this package.
func BadHere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return withLock(ctx, s, "/locks/oven", func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, `UPDATE ovens_plain SET hot = true WHERE id = $1`, id) // want "unfencedwrite"
		return err
	})
}

// BadThere writes in a literal under a region of another package.
func BadThere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return under.Lock(ctx, s, "/locks/stove", func(ctx context.Context, _ int64) error {
		return heat(ctx, db, id) // want "unfencedwrite"
	})
}

func heat(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE stoves_plain SET hot = true WHERE id = $1`, id)
	return err
}
