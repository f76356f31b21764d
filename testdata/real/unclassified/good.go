package unclassified

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodRelease only releases what others took.
func GoodRelease(ctx context.Context, mu *concurrency.Mutex, e *concurrency.Election) error {
	if err := mu.Unlock(ctx); err != nil {
		return err
	}
	return e.Resign(ctx)
}

// GoodLook only looks.
func GoodLook(ctx context.Context, mu *concurrency.Mutex, e *concurrency.Election) (string, error) {
	if _, err := e.Leader(ctx); err != nil {
		return "", err
	}
	return mu.Key(), nil
}

// GoodMake only makes.
func GoodMake(s *concurrency.Session, key string) *concurrency.Mutex {
	return concurrency.NewMutex(s, key)
}
