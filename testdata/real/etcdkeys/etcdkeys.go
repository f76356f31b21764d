// Package etcdkeys keeps locks in keys of etcd without the library for them: a
// transaction puts the key only while it is not there, with a lease that takes it away.
// Keys that are data are put in the same way, and are no locks.
//
//fencelint:lock correctness
package etcdkeys

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// ErrTaken says that another owner has the key.
var ErrTaken = errors.New("another owner has the key")

// Baton is a key with a lease.
type Baton struct {
	kv    clientv3.KV
	lease clientv3.Lease
	key   string
	id    clientv3.LeaseID
}

// TryLock puts the key in a transaction whose steps are statements of their own.
func (b *Baton) TryLock(ctx context.Context, owner string) error {
	grant, err := b.lease.Grant(ctx, 30)
	if err != nil {
		return err
	}
	txn := b.kv.Txn(ctx)
	txn.If(clientv3.Compare(clientv3.CreateRevision(b.key), "=", 0)).
		Then(clientv3.OpPut(b.key, owner, clientv3.WithLease(grant.ID))).
		Else(clientv3.OpGet(b.key))
	resp, err := txn.Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return ErrTaken
	}
	b.id = grant.ID
	return nil
}

// Unlock gives the lease back, and the key with it.
func (b *Baton) Unlock(ctx context.Context) {
	b.lease.Revoke(ctx, b.id)
}

// Settle writes in the hold; what follows has no part in it.
func Settle(ctx context.Context, b *Baton, cli *clientv3.Client) error {
	if err := b.TryLock(ctx, "a"); err != nil {
		return err
	}
	if _, err := cli.Put(ctx, "/orders/total", "1"); err != nil { // want "unfencedwrite"
		return err
	}
	b.Unlock(ctx)
	_, err := cli.Put(ctx, "/orders/seen", "1")
	return err
}

// Client is what a program makes of the client of etcd.
type Client struct{ *clientv3.Client }

// GetLock tells whether it got the key; the caller has the lease.
func (c *Client) GetLock(ctx context.Context, job string, id clientv3.LeaseID) (bool, error) {
	key := "/jobs/running/" + job
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(key), "=", 0)).
		Then(clientv3.OpPut(key, "", clientv3.WithLease(id))).Commit()
	if err != nil {
		return false, err
	}
	return resp.Succeeded, nil
}

// Run works with the key, which nothing but its lease gives back.
func Run(ctx context.Context, c *Client, job string) error {
	grant, err := c.Grant(ctx, 5)
	if err != nil {
		return err
	}
	ok, err := c.GetLock(ctx, job, grant.ID)
	if err != nil || !ok {
		return err
	}
	_, err = c.Put(ctx, "/results/"+job, "done") // want "unfencedwrite"
	return err
}

// Publish puts what a node offers while nobody else does: that is data, no lock.
func Publish(ctx context.Context, c *Client, addr string, id clientv3.LeaseID) error {
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.Version("/nodes/"+addr), "=", 0)).
		Then(clientv3.OpPut("/nodes/"+addr, addr, clientv3.WithLease(id))).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return ErrTaken
	}
	_, err = c.Put(ctx, "/last", addr)
	return err
}

// Create puts a record once.
func Create(ctx context.Context, c *Client, name string) (bool, error) {
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/records/"+name), "=", 0)).
		Then(clientv3.OpPut("/records/"+name, name)).Commit()
	if err != nil {
		return false, err
	}
	_, err = c.Put(ctx, "/records/last", name)
	return resp.Succeeded, err
}

// Total is written by a transaction whose condition is a statement of its own.
//
//fencelint:lock correctness contract=cas
func Total(ctx context.Context, b *Baton, cli *clientv3.Client, owner, sum string) error {
	if err := b.TryLock(ctx, owner); err != nil {
		return err
	}
	defer b.Unlock(ctx)
	got, err := cli.Get(ctx, "/orders/total")
	if err != nil || len(got.Kvs) == 0 {
		return err
	}
	txn := cli.Txn(ctx)
	txn.If(clientv3.Compare(clientv3.ModRevision("/orders/total"), "=", got.Kvs[0].ModRevision))
	txn.Then(clientv3.OpPut("/orders/total", sum))
	resp, err := txn.Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return ErrTaken
	}
	return nil
}

// Serve takes one key after the other, and gives back what it has when it ends.
func Serve(ctx context.Context, next func() *Baton, cli *clientv3.Client) error {
	var b *Baton
	defer func() {
		if b == nil {
			return
		}
		b.Unlock(ctx)
	}()
	for {
		b = next()
		if b == nil {
			return nil
		}
		if err := b.TryLock(ctx, "server"); err != nil {
			return err
		}
		if _, err := cli.Put(ctx, "/orders/served", "1"); err != nil { // want "unfencedwrite"
			return err
		}
	}
}

// Round has no lock when Serve returns.
func Round(ctx context.Context, next func() *Baton, cli *clientv3.Client) error {
	if err := Serve(ctx, next, cli); err != nil {
		return err
	}
	_, err := cli.Put(ctx, "/orders/rounds", "1")
	return err
}

// Limited ends its own context in the hold: that is no effect.
func Limited(ctx context.Context, b *Baton, stop context.CancelFunc) error {
	if err := b.TryLock(ctx, "limited"); err != nil {
		return err
	}
	defer b.Unlock(ctx)
	stop()
	return nil
}
