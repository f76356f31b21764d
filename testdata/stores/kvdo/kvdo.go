// Package kvdo sends transactions of etcd as single operations.
package kvdo

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Store writes under a lock.
type Store struct {
	s *concurrency.Session
}

func (s *Store) lock(ctx context.Context, key string) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// Good asks whether it is still the owner.
func (s *Store) Good(ctx context.Context) error {
	m, err := s.lock(ctx, "a")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	op := clientv3.OpTxn([]clientv3.Cmp{m.IsOwner()}, []clientv3.Op{clientv3.OpPut("/a", "1")}, nil)
	resp, err := s.s.Client().Do(ctx, op)
	if err != nil {
		return err
	}
	if !resp.Txn().Succeeded {
		return errStale
	}
	return nil
}

// BadUnread does not look at the answer.
func (s *Store) BadUnread(ctx context.Context) error {
	m, err := s.lock(ctx, "b")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = s.s.Client().Do(ctx, clientv3.OpTxn([]clientv3.Cmp{m.IsOwner()}, []clientv3.Op{clientv3.OpPut("/b", "1")}, nil)) // want "rejectionignored"
	return err
}

// BadPut puts.
func (s *Store) BadPut(ctx context.Context) error {
	m, err := s.lock(ctx, "c")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = s.s.Client().Do(ctx, clientv3.OpPut("/c", "1")) // want "unfencedwrite"
	return err
}

// BadFree demands nothing.
func (s *Store) BadFree(ctx context.Context) error {
	m, err := s.lock(ctx, "d")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := s.s.Client().Do(ctx, clientv3.OpTxn(nil, []clientv3.Op{clientv3.OpPut("/d", "1")}, nil)) // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Txn().Succeeded {
		return errStale
	}
	return nil
}

// BadElse writes all the same.
func (s *Store) BadElse(ctx context.Context) error {
	m, err := s.lock(ctx, "e")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	put := clientv3.OpPut("/e", "1")
	resp, err := s.s.Client().Do(ctx, clientv3.OpTxn([]clientv3.Cmp{m.IsOwner()}, []clientv3.Op{put}, []clientv3.Op{put})) // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Txn().Succeeded {
		return errStale
	}
	return nil
}

func do(ctx context.Context, kv clientv3.KV, op clientv3.Op) (*clientv3.TxnResponse, error) {
	resp, err := kv.Do(ctx, op)
	if err != nil {
		return nil, err
	}
	return resp.Txn(), nil
}

// GoodHelper sends by way of a function that takes any operation.
func (s *Store) GoodHelper(ctx context.Context) error {
	m, err := s.lock(ctx, "f")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := do(ctx, s.s.Client(), clientv3.OpTxn([]clientv3.Cmp{m.IsOwner()}, []clientv3.Op{clientv3.OpPut("/f", "1")}, nil))
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// GoodNested asks in front of the inner transaction.
func (s *Store) GoodNested(ctx context.Context) error {
	m, err := s.lock(ctx, "g")
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	inner := clientv3.OpTxn([]clientv3.Cmp{clientv3.Compare(clientv3.Version("/g"), "=", 0)}, []clientv3.Op{clientv3.OpPut("/g", "1")}, nil)
	resp, err := s.s.Client().Txn(ctx).If(m.IsOwner()).Then(inner).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}
