// Package sweeper works under locks of which it knows that they are a context and the function
// that ends it.
package sweeper

import (
	"context"
	"time"
)

// Locks are those of all processes. The context has ended where there is no lock.
type Locks interface {
	TryLock(ctx context.Context, key string) (context.Context, context.CancelFunc)
	Lock(ctx context.Context, key string) (context.Context, context.CancelFunc)
}

// Feed is what is fetched.
type Feed interface{ Name() string }

// Store keeps feeds.
type Store interface {
	Sweep(ctx context.Context) error
	Fetch(ctx context.Context, name string) error
}

// Sweeper fetches feeds, and removes what is old.
type Sweeper struct {
	Locks Locks
	Store Store
	Feeds []Feed
}

// Round fetches each feed under its own lock, and then sweeps under another.
func (s *Sweeper) Round(ctx context.Context) error {
	for _, f := range s.Feeds {
		if err := s.fetch(ctx, f); err != nil {
			return err
		}
	}
	//fencelint:lock correctness
	held, done := s.Locks.TryLock(ctx, "sweep")
	if err := held.Err(); err == nil {
		if err := s.Store.Sweep(held); err != nil {
			println(err.Error())
		}
	}
	done()
	return nil
}

// fetch has the lock's name from another call.
func (s *Sweeper) fetch(ctx context.Context, f Feed) error {
	//fencelint:lock correctness
	held, done := s.Locks.TryLock(ctx, f.Name())
	defer done()
	if err := held.Err(); err != nil {
		return nil
	}
	return s.Store.Fetch(held, f.Name())
}

// Index works under a lock that is given back when it returns.
func (s *Sweeper) Index(ctx context.Context, name string) error {
	//fencelint:lock correctness
	held, done := s.Locks.Lock(ctx, name)
	defer done()
	if err := held.Err(); err != nil {
		return err
	}
	return s.Store.Fetch(held, name)
}

// Run makes a round, and another one every minute. No lock lasts from one to the next.
func (s *Sweeper) Run(ctx context.Context) error {
	if err := s.Round(ctx); err != nil {
		return err
	}
	if err := s.Index(ctx, "all"); err != nil {
		return err
	}
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			if err := s.Round(ctx); err != nil {
				return err
			}
		}
	}
}
