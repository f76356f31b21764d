// Package builttxn puts conditional transactions together through helpers of its own.
package builttxn

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrLost says that the lock was lost.
var ErrLost = errors.New("the lock was lost")

// Batch collects what is written together.
type Batch struct {
	kv  clientv3.KV
	ifs []clientv3.Cmp
	ops []clientv3.Op
}

// NewBatch begins one.
func NewBatch(kv clientv3.KV) *Batch { return &Batch{kv: kv} }

// While adds a condition.
func (b *Batch) While(c clientv3.Cmp) *Batch {
	b.ifs = append(b.ifs, c)
	return b
}

// Put adds a write.
func (b *Batch) Put(key, val string) *Batch {
	b.ops = append(b.ops, clientv3.OpPut(key, val))
	return b
}

// Delete adds a removal.
func (b *Batch) Delete(key string) *Batch {
	b.ops = append(b.ops, clientv3.OpDelete(key))
	return b
}

// Commit sends it.
func (b *Batch) Commit(ctx context.Context) error {
	r, err := b.kv.Txn(ctx).If(b.ifs...).Then(b.ops...).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return ErrLost
	}
	return nil
}

// Good writes while the mutex has its owner.
func Good(ctx context.Context, c *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/locks/good")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return NewBatch(c).While(m.IsOwner()).Put("/plans/1", "x").Commit(ctx)
}

// Apart adds in statements of their own.
func Apart(ctx context.Context, c *clientv3.Client, s *concurrency.Session, keys []string) error {
	m := concurrency.NewMutex(s, "/locks/apart")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := NewBatch(c)
	b.While(m.IsOwner())
	for _, k := range keys {
		b.Delete(k)
	}
	return b.Commit(ctx)
}

// Bare demands nothing.
func Bare(ctx context.Context, c *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/locks/bare")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return NewBatch(c).Put("/plans/1", "x").Commit(ctx) // want "unfencedwrite"
}

// Store writes under a guard that it is given.
type Store struct {
	kv    clientv3.KV
	guard []clientv3.Cmp
}

// Guarded is the store while a lock is held.
func (s *Store) Guarded(c ...clientv3.Cmp) *Store {
	return &Store{kv: s.kv, guard: append(append([]clientv3.Cmp{}, s.guard...), c...)}
}

// Put writes a value.
func (s *Store) Put(ctx context.Context, key, val string) error {
	r, err := s.kv.Txn(ctx).If(s.guard...).Then(clientv3.OpPut(key, val)).Commit()
	switch {
	case err != nil:
		return err
	case !r.Succeeded:
		return ErrLost
	}
	return nil
}

// Kept writes through a store that has the guard.
func Kept(ctx context.Context, st *Store, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/locks/kept")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return st.Guarded(m.IsOwner()).Put(ctx, "/plans/2", "x")
}

// Plain writes through a store to which nobody gave a guard.
func Plain(ctx context.Context, c *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/locks/plain")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	st := &Store{kv: c}
	return st.Put(ctx, "/plans/2", "x") // want "unfencedwrite"
}

// Leader writes while it leads.
type Leader struct {
	kv       clientv3.KV
	election *concurrency.Election
	rev      int64
	key      string
}

// Campaign waits until it leads.
func (l *Leader) Campaign(ctx context.Context, id string) error {
	//fencelint:lock correctness
	if err := l.election.Campaign(ctx, id); err != nil {
		return err
	}
	l.key, l.rev = l.election.Key(), l.election.Rev()
	return l.txn(ctx, clientv3.OpPut("/leader/state", "new"))
}

func (l *Leader) leads() clientv3.Cmp {
	return clientv3.Compare(clientv3.CreateRevision(l.key), "=", l.rev)
}

func (l *Leader) txn(ctx context.Context, ops ...clientv3.Op) error {
	r, err := l.kv.Txn(ctx).If(l.leads()).Then(ops...).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return ErrLost
	}
	return nil
}

// Txn makes transactions that demand something.
type Txn struct {
	clientv3.Txn
	demand []clientv3.Cmp
}

// If demands more.
func (t *Txn) If(cs ...clientv3.Cmp) clientv3.Txn { return t.Txn.If(append(cs, t.demand...)...) }

// Wrapped demands what the wrapper adds.
func Wrapped(ctx context.Context, c *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/locks/wrapped")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	t := &Txn{Txn: c.Txn(ctx), demand: []clientv3.Cmp{m.IsOwner()}}
	r, err := t.If(clientv3.Compare(clientv3.Version("/plans/3"), ">", 0)).Then(clientv3.OpPut("/plans/3", "x")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return ErrLost
	}
	return nil
}
