package region

import (
	"context"
	"database/sql"
	"sync/atomic"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// within runs f while it holds a lock.
func within(ctx context.Context, s *concurrency.Session, name string, f func(ctx context.Context) error) error {
	m := concurrency.NewMutex(s, "/circle/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return f(ctx)
}

type bench struct {
	db   *sql.DB
	s    *concurrency.Session
	busy atomic.Bool
}

// Sit says that somebody works.
func (b *bench) Sit(ctx context.Context) error {
	return within(ctx, b.s, "sit", func(ctx context.Context) error {
		b.busy.Store(true)
		defer b.busy.Store(false)
		<-ctx.Done()
		return ctx.Err()
	})
}

// BadNested holds two locks, and shows neither number.
func (b *bench) BadNested(ctx context.Context) error {
	return within(ctx, b.s, "outer", func(ctx context.Context) error {
		return within(ctx, b.s, "inner", func(ctx context.Context) error {
			if !b.busy.Load() {
				return nil
			}
			_, err := b.db.ExecContext(ctx, `UPDATE circle SET n = 1`) // want "unfencedwrite" "checknotfence"
			return err
		})
	})
}
