package etcdtxn

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadSometimes compares the owner only when it is asked to.
func BadSometimes(ctx context.Context, s *concurrency.Session, strict bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var cmps []clientv3.Cmp
	if strict {
		cmps = append(cmps, m.IsOwner())
	}
	resp, err := s.Client().Txn(ctx).If(cmps...).Then(clientv3.OpPut("/sometimes", "a")).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// GoodAlways compares the owner, and at times something else.
func GoodAlways(ctx context.Context, s *concurrency.Session, ver int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	cmps := []clientv3.Cmp{m.IsOwner()}
	if ver > 0 {
		cmps = append(cmps, clientv3.Compare(clientv3.Version("/always"), "=", ver))
	}
	resp, err := s.Client().Txn(ctx).If(cmps...).Then(clientv3.OpPut("/always", "a")).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}
