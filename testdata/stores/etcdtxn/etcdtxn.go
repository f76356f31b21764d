// Package etcdtxn writes keys of etcd in transactions.
package etcdtxn

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errLost = errors.New("ownership lost")

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/plan")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// GoodOwner writes only while the key of the lock is there.
func GoodOwner(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/plan", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// BadEmpty has no comparison.
func BadEmpty(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = cli.Txn(ctx).Then(clientv3.OpPut("/plan", v)).Commit() // want "unfencedwrite"
	return err
}

// BadUnread does not ask what became of the comparison.
func BadUnread(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/plan", v)).Commit() // want "rejectionignored"
	return err
}

// GoodRevision compares the revision that the key of the lock was made in.
func GoodRevision(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).
		If(clientv3.Compare(clientv3.CreateRevision(m.Key()), "=", m.Header().Revision)).
		Then(clientv3.OpPut("/plan", v)).
		Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// BadElse writes when the comparison fails.
func BadElse(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(m.IsOwner()).Else(clientv3.OpPut("/plan", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// BadPut compares nothing.
func BadPut(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = cli.Put(ctx, "/plan", v) // want "unfencedwrite"
	return err
}

// BadOtherKey asks for a key that it does not write.
func BadOtherKey(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/other"), "=", 0)).Then(clientv3.OpPut("/plan", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

// GoodExists asks whether its own key is there.
func GoodExists(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(m.Key()), ">", 0)).Then(clientv3.OpPut("/plan", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}
