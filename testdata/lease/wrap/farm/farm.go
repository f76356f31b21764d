// Package farm wraps locks.
package farm

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// ErrBusy says that somebody else is at work.
var ErrBusy = errors.New("busy")

// Gate is a lock in Redis.
type Gate struct {
	RDB *redis.Client
	Key string
}

// TryEnter says whether the gate was free.
func (g *Gate) TryEnter(ctx context.Context, me string) (bool, error) {
	return g.RDB.SetNX(ctx, g.Key, me, time.Minute).Result()
}

// Barn is a lock that renews itself.
type Barn struct{ Locks *redislock.Client }

// With runs fn under the lock, and cancels its context on a loss.
func (b *Barn) With(ctx context.Context, name string, fn func(context.Context) error) error {
	//fencelint:lock correctness
	lock, err := b.Locks.Obtain(ctx, name, time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			time.Sleep(10 * time.Second)
			if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
				cancel()
			}
		}
	}()
	return fn(ctx)
}

// Quietly runs fn under the lock and tells it nothing.
func (b *Barn) Quietly(ctx context.Context, name string, fn func(context.Context) error) error {
	//fencelint:lock correctness
	lock, err := b.Locks.Obtain(ctx, name, time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Second):
			}
			if err := lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
				slog.Warn("lost", "err", err)
			}
		}
	}()
	return fn(ctx)
}
