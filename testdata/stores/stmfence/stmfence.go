// Package stmfence compares the epoch within a software transaction of etcd.
package stmfence

import (
	"context"
	"errors"
	"strconv"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Store writes keys.
type Store struct {
	s *concurrency.Session
}

func (s *Store) with(ctx context.Context, key string, fn func(context.Context, int64) error) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness contract=fence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, m.Header().Revision)
}

// Good compares and stores it.
func (s *Store) Good(ctx context.Context, v string) error {
	return s.with(ctx, "a", func(ctx context.Context, e int64) error {
		_, err := concurrency.NewSTM(s.s.Client(), func(stm concurrency.STM) error {
			if raw := stm.Get("/a/fence"); raw != "" {
				cur, err := strconv.ParseInt(raw, 10, 64)
				if err != nil {
					return err
				}
				if cur > e {
					return errStale
				}
			}
			stm.Put("/a/fence", strconv.FormatInt(e, 10))
			stm.Put("/a", v)
			return nil
		})
		return err
	})
}

// GoodThere has the key from the beginning.
func (s *Store) GoodThere(ctx context.Context, v string) error {
	return s.with(ctx, "b", func(ctx context.Context, e int64) error {
		_, err := concurrency.NewSTM(s.s.Client(), func(stm concurrency.STM) error {
			cur, err := strconv.ParseInt(stm.Get("/b/fence"), 10, 64)
			if err != nil {
				return err
			}
			if cur > e {
				return errStale
			}
			stm.Put("/b/fence", strconv.FormatInt(e, 10))
			stm.Put("/b", v)
			return nil
		})
		return err
	})
}

// BadTurned stops the newer owner.
func (s *Store) BadTurned(ctx context.Context, v string) error {
	return s.with(ctx, "c", func(ctx context.Context, e int64) error {
		_, err := concurrency.NewSTM(s.s.Client(), func(stm concurrency.STM) error {
			cur, err := strconv.ParseInt(stm.Get("/c/fence"), 10, 64)
			if err != nil {
				return err
			}
			if cur < e {
				return errStale
			}
			stm.Put("/c/fence", strconv.FormatInt(e, 10)) // want "staleadmitted"
			stm.Put("/c", v)                              // want "staleadmitted"
			return nil
		})
		return err
	})
}

// BadUnstored never stores it.
func (s *Store) BadUnstored(ctx context.Context, v string) error {
	return s.with(ctx, "d", func(ctx context.Context, e int64) error {
		_, err := concurrency.NewSTM(s.s.Client(), func(stm concurrency.STM) error {
			cur, err := strconv.ParseInt(stm.Get("/d/fence"), 10, 64)
			if err != nil {
				return err
			}
			if cur > e {
				return errStale
			}
			stm.Put("/d", v) // want "casnotfence|unprovedwrite"
			return nil
		})
		return err
	})
}

// BadSilent takes its own refusal for success.
func (s *Store) BadSilent(ctx context.Context, v string) error {
	return s.with(ctx, "e", func(ctx context.Context, e int64) error {
		_, err := concurrency.NewSTM(s.s.Client(), func(stm concurrency.STM) error {
			cur, err := strconv.ParseInt(stm.Get("/e/fence"), 10, 64)
			if err != nil {
				return err
			}
			if cur > e {
				return nil
			}
			stm.Put("/e/fence", strconv.FormatInt(e, 10)) // want "rejectionignored"
			stm.Put("/e", v)                              // want "rejectionignored"
			return nil
		})
		return err
	})
}
