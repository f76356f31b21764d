package unclassified

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// take locks key for whoever asks, and none of them says what for.
func take(ctx context.Context, s *concurrency.Session, key string) (*concurrency.Mutex, error) { // want "lockclass"
	mu := concurrency.NewMutex(s, key)
	if err := mu.Lock(ctx); err != nil {
		return nil, err
	}
	return mu, nil
}

func first(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu, err := take(ctx, s, "/locks/first")
	if err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err = db.ExecContext(ctx, `UPDATE gloves_plain SET n = 1`)
	return err
}

func second(ctx context.Context, s *concurrency.Session) error {
	mu, err := take(ctx, s, "/locks/second")
	if err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// Both uses both.
func Both(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	if err := first(ctx, s, db); err != nil {
		return err
	}
	return second(ctx, s)
}
