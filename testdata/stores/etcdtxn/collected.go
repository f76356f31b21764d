package etcdtxn

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type change struct {
	key, value string
	rev        int64 // 0: whatever it is
}

// commit makes the changes if all conditions hold: those it is given, and those of the changes.
func commit(ctx context.Context, cli *clientv3.Client, conds []clientv3.Cmp, cs ...change) error {
	var ops []clientv3.Op
	for _, c := range cs {
		if c.rev != 0 {
			conds = append(conds, clientv3.Compare(clientv3.ModRevision(c.key), "=", c.rev))
		}
		ops = append(ops, clientv3.OpPut(c.key, c.value))
	}
	resp, err := cli.Txn(ctx).If(conds...).Then(ops...).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// GoodCollected gives a condition to which the changes only add.
func GoodCollected(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return commit(ctx, cli, []clientv3.Cmp{m.IsOwner()}, change{key: "/collected", value: v})
}

// BadCollected gives none.
func BadCollected(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, kv map[string]string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var cs []change
	for k, v := range kv {
		cs = append(cs, change{key: "/loose/" + k, value: v})
	}
	return commit(ctx, cli, nil, cs...) // want "unfencedwrite"
}
