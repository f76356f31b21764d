// Package yard takes a second lock while it has a first one: to take it is no write that the
// first one protects.
package yard

import (
	"context"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/lease/innerlock/latch"
)

// Gates gives out the second lock.
type Gates interface{ Latch(name string) latch.Latch }

type yard struct {
	session *concurrency.Session
	gates   Gates
	marks   latch.Marks
}

func newYard(s *concurrency.Session, rdb *redis.Client) *yard {
	st := latch.New(rdb)
	return &yard{session: s, gates: st, marks: st.Marks()}
}

func (y *yard) both(ctx context.Context, work func(context.Context)) error {
	m := concurrency.NewMutex(y.session, "/yard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	l := y.gates.Latch("gate")
	//fencelint:lock efficiency
	if err := l.Lock(ctx); err != nil {
		return err
	}
	defer l.Unlock(ctx)
	work(ctx)
	return nil
}

func (y *yard) marked(ctx context.Context, id string) error {
	m := concurrency.NewMutex(y.session, "/yard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return y.marks.Seen(ctx, id) // want "unfencedwrite"
}
