package etcdtxn

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/clientv3util"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodKeyExists writes only while the key is there that the campaign has made.
func GoodKeyExists(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	e := concurrency.NewElection(s, "/leaders/plan")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3util.KeyExists(e.Key())).Then(clientv3.OpPut("/plan", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// BadKeyExists asks for a key that is always there.
func BadKeyExists(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	e := concurrency.NewElection(s, "/leaders/plan")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3util.KeyExists("/plan")).Then(clientv3.OpPut("/plan", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// GoodKeyMissing creates the key, once.
func GoodKeyMissing(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3util.KeyMissing("/first")).Then(clientv3.OpPut("/first", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// BadKeyMissing creates another one.
func BadKeyMissing(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3util.KeyMissing("/first")).Then(clientv3.OpPut("/second", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}
