package gaveback

import (
	"context"
	"log"
	"time"
)

// Store keeps what was sampled, and the lock under which that is done.
type Store interface {
	Lock(ctx context.Context, key string, seconds uint64) (Lock, error)
	Unlock(ctx context.Context, l Lock) error
	Put(ctx context.Context, key string, value []byte) error
}

type sampler struct {
	store    Store
	skip     bool
	observed *time.Duration
}

// sample gives the lock back late, in a deferred function.
func (s *sampler) sample(ctx context.Context, value []byte) error {
	start := time.Now()
	first := true
	l, err := s.store.Lock(ctx, "sample", 30) // taken
	if err != nil {
		first = false
		return err
	}
	defer func() {
		took := time.Since(start)
		if !s.skip {
			if rest := time.Until(start.Add(28 * time.Second)); rest > time.Second {
				time.Sleep(rest)
			}
		}
		if err := s.store.Unlock(ctx, l); err != nil {
			log.Print(err)
		}
		if first && s.observed != nil {
			*s.observed = took
		}
	}()
	return s.store.Put(ctx, "sample", value)
}

// Start samples now and then; each round has its own hold.
func (s *sampler) Start(ctx context.Context, value []byte) {
	t := time.NewTicker(30 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := s.sample(ctx, value); err != nil {
				log.Print(err)
			}
		}
	}
}
