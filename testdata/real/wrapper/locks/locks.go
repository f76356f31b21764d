// Package locks is what the program knows of etcd.
package locks

import (
	"context"
	"log/slog"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Take locks key and returns what unlocks it.
func Take(ctx context.Context, s *concurrency.Session, key string) (unlock func(), err error) {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return nil, err
	}
	return func() {
		if err := mu.Unlock(context.WithoutCancel(ctx)); err != nil {
			slog.Warn("unlock", "key", key, "err", err)
		}
	}, nil
}

// Numbered is Take that also says which number the owner has.
func Numbered(ctx context.Context, s *concurrency.Session, key string) (epoch int64, unlock func(), err error) {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return mu.Header().Revision, func() { _ = mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

// Handle is a lock that is held.
type Handle struct {
	mu    *concurrency.Mutex
	epoch int64
}

// Hold locks key.
func Hold(ctx context.Context, s *concurrency.Session, key string) (*Handle, error) {
	h := &Handle{mu: concurrency.NewMutex(s, key)}
	//fencelint:lock correctness
	if err := h.mu.Lock(ctx); err != nil {
		return nil, err
	}
	h.epoch = h.mu.Header().Revision
	return h, nil
}

// Epoch is the number of this owner.
func (h *Handle) Epoch() int64 { return h.epoch }

// Release unlocks.
func (h *Handle) Release(ctx context.Context) error { return h.mu.Unlock(ctx) }
