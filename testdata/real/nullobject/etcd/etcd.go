// Package etcd locks sessions in etcd.
package etcd

import (
	"context"
	"errors"
	"time"

	"fencelint.example/real/nullobject/session"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type lock struct{ mu *concurrency.Mutex }

// New is the lock of one session.
func New(s *concurrency.Session, key string) session.Lock {
	return &lock{concurrency.NewMutex(s, key)}
}

func (l *lock) Obtain(ctx context.Context, _ time.Duration) error {
	err := l.mu.TryLock(ctx)
	if errors.Is(err, concurrency.ErrLocked) {
		return session.ErrTaken
	}
	return err
}

func (l *lock) Release(ctx context.Context) error { return l.mu.Unlock(ctx) }
