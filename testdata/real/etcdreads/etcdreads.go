// Package etcdreads reads several keys at one revision, which needs a transaction and changes
// nothing.
package etcdreads

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/clientv3util"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errLost = errors.New("another owner was there")

// Plans keeps a plan and the revision of the draft that it was made from.
type Plans struct{ *clientv3.Client }

// Both reads the plan and the revision as they were at one moment.
func (p Plans) Both(ctx context.Context) (plan, from string, err error) {
	r, err := p.Txn(ctx).Then(clientv3.OpGet("plans/now"), clientv3.OpGet("plans/from")).Commit()
	if err != nil {
		return "", "", err
	}
	return string(r.Responses[0].GetResponseRange().Kvs[0].Value), string(r.Responses[1].GetResponseRange().Kvs[0].Value), nil
}

// Either reads one key where there is another, and else a third.
func (p Plans) Either(ctx context.Context) (*clientv3.TxnResponse, error) {
	return p.Txn(ctx).If(clientv3util.KeyExists("plans/now")).Then(clientv3.OpGet("plans/now", clientv3.WithPrefix())).Else(clientv3.OpGet("plans/old")).Commit()
}

// Alone reads by way of an operation.
func (p Plans) Alone(ctx context.Context) (clientv3.OpResponse, error) {
	return p.Do(ctx, clientv3.OpGet("plans/now"))
}

// Good reads, and writes while the lock is its own.
func Good(ctx context.Context, p Plans, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/plans")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	plan, _, err := p.Both(ctx)
	if err != nil {
		return err
	}
	if _, err := p.Either(ctx); err != nil {
		return err
	}
	if _, err := p.Alone(ctx); err != nil {
		return err
	}
	r, err := p.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("plans/now", plan+"!")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errLost
	}
	return nil
}

// Bad writes one of the keys, and reads the other.
func Bad(ctx context.Context, p Plans, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/plans")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := p.Txn(ctx).Then(clientv3.OpPut("plans/now", "none"), clientv3.OpGet("plans/from")).Commit() // want "unfencedwrite"
	return err
}

// BadReply takes the old value along: the operation writes all the same.
func BadReply(ctx context.Context, p Plans, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/plans")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := p.Do(ctx, clientv3.OpPut("plans/now", "none", clientv3.WithPrevKV())) // want "unfencedwrite"
	return err
}

// BadMixed does not tell here what it does.
func BadMixed(ctx context.Context, p Plans, s *concurrency.Session, more []clientv3.Op) error {
	m := concurrency.NewMutex(s, "/plans")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	ops := append([]clientv3.Op{clientv3.OpGet("plans/from")}, more...)
	_, err := p.Txn(ctx).Then(ops...).Commit() // want "unfencedwrite"
	return err
}
