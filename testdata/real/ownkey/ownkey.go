// Package ownkey keeps a lock in a key of etcd that a transaction makes.
package ownkey

import (
	"context"
	"errors"

	"github.com/google/uuid"
	clientv3 "go.etcd.io/etcd/client/v3"
)

var errStale = errors.New("a newer owner was there")

func sent(r *clientv3.TxnResponse, err error) error {
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errStale
	}
	return nil
}

// Made compares the revision at which it has made the key, and deletes the key whoever has it.
func Made(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/a"), "=", 0)).Then(clientv3.OpPut("/lock/a", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	defer c.Delete(ctx, "/lock/a") // want "unfencedwrite"
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/a"), "=", r.Header.Revision)).Then(clientv3.OpPut("/data/a", "x")).Commit())
}

// Exists asks whether anybody has it.
func Exists(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/b"), "=", 0)).Then(clientv3.OpPut("/lock/b", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/b"), ">", 0)).Then(clientv3.OpPut("/data/b", "x")).Commit()) // want "unfencedwrite|identityreused|unprovedwrite"
}

// SameName compares a name that each owner has.
func SameName(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/c"), "=", 0)).Then(clientv3.OpPut("/lock/c", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.Value("/lock/c"), "=", "me")).Then(clientv3.OpPut("/data/c", "x")).Commit()) // want "identityreused|unprovedwrite|unfencedwrite"
}

// Plain compares nothing.
func Plain(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/d"), "=", 0)).Then(clientv3.OpPut("/lock/d", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	_, err = c.Put(ctx, "/data/d", "x") // want "unfencedwrite"
	return err
}

// Deaf does not look at the answer.
func Deaf(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/e"), "=", 0)).Then(clientv3.OpPut("/lock/e", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	_, err = c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/e"), "=", r.Header.Revision)).Then(clientv3.OpPut("/data/e", "x")).Commit() // want "rejectionignored"
	return err
}

// Named compares a name of its own.
func Named(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/f"), "=", 0)).Then(clientv3.OpPut("/lock/f", me, clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.Value("/lock/f"), "=", me)).Then(clientv3.OpPut("/data/f", "x")).Commit())
}

// OtherKey compares another key.
func OtherKey(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/g"), "=", 0)).Then(clientv3.OpPut("/lock/g", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/h"), "=", r.Header.Revision)).Then(clientv3.OpPut("/data/g", "x")).Commit()) // want "unfencedwrite"
}

// Above lets a later owner's key pass.
func Above(ctx context.Context, c *clientv3.Client, id clientv3.LeaseID) error {
	//fencelint:lock correctness
	r, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/i"), "=", 0)).Then(clientv3.OpPut("/lock/i", "me", clientv3.WithLease(id))).Commit()
	if err := sent(r, err); err != nil {
		return err
	}
	return sent(c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/lock/i"), ">", r.Header.Revision)).Then(clientv3.OpPut("/data/i", "x")).Commit()) // want "unfencedwrite"
}
