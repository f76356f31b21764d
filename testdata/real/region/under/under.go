// Package under runs functions under a lock.
package under

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Lock runs fn while it holds key and tells it the number of this owner.
func Lock(ctx context.Context, s *concurrency.Session, key string, fn func(ctx context.Context, fence int64) error) (err error) {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mu.Unlock(context.WithoutCancel(ctx))) }()
	return fn(ctx, mu.Header().Revision)
}
