// Package keyfence sends transactions of etcd that rest on a revision or on the own key.
package keyfence

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Before asks that the object was last written before its grant, and writes it.
func Before(ctx context.Context, c *clientv3.Client, s *concurrency.Session, v string) error {
	mu := concurrency.NewMutex(s, "/locks/hull")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	rev := mu.Header().Revision
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/state/hull"), "<", rev)).Then(clientv3.OpPut("/state/hull", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// Own asks for the value of its key, which is empty; where there is no key it has none.
func Own(ctx context.Context, c *clientv3.Client, s *concurrency.Session, v string) error {
	mu := concurrency.NewMutex(s, "/locks/deck")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.Value(mu.Key()), "=", "")).Then(clientv3.OpPut("/state/deck", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// Elected compares the value of the leader key.
func Elected(ctx context.Context, c *clientv3.Client, s *concurrency.Session, me, v string) error {
	e := concurrency.NewElection(s, "/elect/deck")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, me); err != nil {
		return err
	}
	defer e.Resign(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.Value(e.Key()), "=", me)).Then(clientv3.OpPut("/state/mast", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// LeaseOwn compares the lease of the own key.
func LeaseOwn(ctx context.Context, c *clientv3.Client, s *concurrency.Session, me, v string) error {
	e := concurrency.NewElection(s, "/elect/keel")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, me); err != nil {
		return err
	}
	defer e.Resign(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.LeaseValue(e.Key()), "=", s.Lease())).Then(clientv3.OpPut("/state/keel", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// BeforeElsewhere writes another object than the one it asks for, whose revision nobody raises.
func BeforeElsewhere(ctx context.Context, c *clientv3.Client, s *concurrency.Session, v string) error {
	mu := concurrency.NewMutex(s, "/locks/stern")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	rev := mu.Header().Revision
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/state/bow"), "<", rev)).Then(clientv3.OpPut("/state/stern", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// Created asks for the revision at which the object was made, which no later write changes.
func Created(ctx context.Context, c *clientv3.Client, s *concurrency.Session, v string) error {
	mu := concurrency.NewMutex(s, "/locks/rudder")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	rev := mu.Header().Revision
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/state/rudder"), "<", rev)).Then(clientv3.OpPut("/state/rudder", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}

// OtherValue asks for the value of a key that is not its own.
func OtherValue(ctx context.Context, c *clientv3.Client, s *concurrency.Session, v string) error {
	mu := concurrency.NewMutex(s, "/locks/oar")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.Value("/locks/any"), "=", "")).Then(clientv3.OpPut("/state/oar", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errStale
	}
	return nil
}
