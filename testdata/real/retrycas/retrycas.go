// Package retrycas stores with a version until it is accepted: a refusal is answered by reading
// again.
package retrycas

import (
	"context"
	"errors"
	"os"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errNone = errors.New("there is no such entry")

// Entries are what is to be done.
type Entries struct{ *clientv3.Client }

// Store writes an entry that is there, however often it takes.
func (e Entries) Store(ctx context.Context, key, v string) error {
AGAIN:
	was, err := e.Get(ctx, key)
	if err != nil {
		return err
	}
	if was.Count == 0 {
		return errNone
	}
	r, err := e.Txn(ctx).
		If(clientv3.Compare(clientv3.ModRevision(key), "=", was.Kvs[0].ModRevision)).
		Then(clientv3.OpPut(key, v)).
		Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		goto AGAIN
	}
	return nil
}

// Good marks an entry as failed when it cannot be begun.
func Good(ctx context.Context, e Entries, s *concurrency.Session, begin func() error) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	err := func() error {
		if err := e.Store(ctx, "entries/1", "begun"); err != nil {
			return err
		}
		return begin()
	}()
	if err != nil {
		return e.Store(ctx, "entries/1", "failed")
	}
	return nil
}

// Bad goes on to the next write after the refusal.
func Bad(ctx context.Context, e Entries, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	was, err := e.Get(ctx, "entries/2")
	if err != nil {
		return err
	}
	r, err := e.Txn(ctx). // want "rejectionignored"
				If(clientv3.Compare(clientv3.ModRevision("entries/2"), "=", was.Kvs[0].ModRevision)).
				Then(clientv3.OpPut("entries/2", "begun")).
				Commit()
	if err != nil || !r.Succeeded {
		return e.Store(ctx, "entries/2", "failed")
	}
	return nil
}

// Direct tries again in the function that holds the lock.
func Direct(ctx context.Context, e Entries, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for {
		was, err := e.Get(ctx, "entries/3")
		if err != nil {
			return err
		}
		r, err := e.Txn(ctx).
			If(clientv3.Compare(clientv3.ModRevision("entries/3"), "=", was.Kvs[0].ModRevision)).
			Then(clientv3.OpPut("entries/3", v)).
			Commit()
		if err != nil {
			return err
		}
		if r.Succeeded {
			return nil
		}
	}
}

// ThreeTimes gives up, and says nothing of it.
func ThreeTimes(ctx context.Context, e Entries, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for range 3 {
		was, err := e.Get(ctx, "entries/3")
		if err != nil {
			return err
		}
		r, err := e.Txn(ctx). // want "rejectionignored"
					If(clientv3.Compare(clientv3.ModRevision("entries/3"), "=", was.Kvs[0].ModRevision)).
					Then(clientv3.OpPut("entries/3", v)).
					Commit()
		if err != nil {
			return err
		}
		if r.Succeeded {
			return nil
		}
	}
	return nil
}

// Each passes over the entries that were refused.
func Each(ctx context.Context, e Entries, s *concurrency.Session, keys []string) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for _, key := range keys {
		was, err := e.Get(ctx, key)
		if err != nil {
			return err
		}
		r, err := e.Txn(ctx). // want "rejectionignored"
					If(clientv3.Compare(clientv3.ModRevision(key), "=", was.Kvs[0].ModRevision)).
					Then(clientv3.OpPut(key, "begun")).
					Commit()
		if err != nil {
			return err
		}
		if !r.Succeeded {
			continue
		}
	}
	return nil
}

// must ends the program when it is refused.
func (e Entries) must(ctx context.Context, m *concurrency.Mutex, key, v string) error {
	r, err := e.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut(key, v)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		os.Exit(1)
	}
	return nil
}

// Exits does not come to the second write after a refusal of the first.
func Exits(ctx context.Context, e Entries, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/entries")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	if err := e.must(ctx, m, "entries/4", "begun"); err != nil {
		return err
	}
	return e.must(ctx, m, "entries/5", "begun")
}
