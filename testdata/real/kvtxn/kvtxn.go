// Package kvtxn writes in conditional transactions of etcd.
package kvtxn

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errLost = errors.New("another owner was there")

// GoodElse reads what is there when it is refused.
func GoodElse(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/good")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/good/v", v)).Else(clientv3.OpGet("/good/v")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// BadElse writes when it is refused.
func BadElse(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/else")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpGet("/else/v")).Else(clientv3.OpPut("/else/v", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// GoodCreate makes a key that nobody made before.
func GoodCreate(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/create")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/create/v"), "=", 0)).Then(clientv3.OpPut("/create/v", v)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// BadCreate asks for the absence of a key and writes another one.
func BadCreate(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/create2")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/create2/stop"), "=", 0)).Then(clientv3.OpPut("/create2/v", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// GoodTry does nothing where another owner has the lock.
func GoodTry(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/try")
	//fencelint:lock correctness
	if err := m.TryLock(ctx); errors.Is(err, concurrency.ErrLocked) {
		return nil
	} else if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/try/v", v)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// BadTry goes on where another owner has the lock.
func BadTry(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/try")
	//fencelint:lock correctness
	if err := m.TryLock(ctx); err != nil && err != concurrency.ErrLocked { // want "acquireignored"
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/try/v", v)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}
