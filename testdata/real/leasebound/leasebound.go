// Package leasebound has a lock of its own, a key that is put with a lease, and sends its
// writes under the condition that the lease has that key.
package leasebound

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
)

var errBusy, errLost = errors.New("somebody else has it"), errors.New("the lease has lost it")

// bolt is the lock.
type bolt struct {
	store clientv3.KV
	rents clientv3.Lease
	name  string
	rent  clientv3.LeaseID
}

//fencelint:lock correctness
func (l *bolt) Shut(ctx context.Context) error {
	g, err := l.rents.Grant(ctx, 30)
	if err != nil {
		return err
	}
	resp, err := l.store.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(l.name), "=", 0)).
		Then(clientv3.OpPut(l.name, "", clientv3.WithLease(g.ID))).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		l.rents.Revoke(ctx, g.ID)
		return errBusy
	}
	l.rent = g.ID
	return nil
}

func (l *bolt) Open(ctx context.Context) { l.rents.Revoke(ctx, l.rent) }

func save(ctx context.Context, c *clientv3.Client, v string) error {
	l := &bolt{store: c, rents: c, name: "/locks/barn"}
	if err := l.Shut(ctx); err != nil {
		return err
	}
	defer l.Open(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.LeaseValue(l.name), "=", l.rent)).Then(clientv3.OpPut("/barn/1", v)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

func other(ctx context.Context, c *clientv3.Client, v string, id clientv3.LeaseID) error {
	l := &bolt{store: c, rents: c, name: "/locks/barn"}
	if err := l.Shut(ctx); err != nil {
		return err
	}
	defer l.Open(ctx)
	resp, err := c.Txn(ctx).If(clientv3.Compare(clientv3.LeaseValue(l.name), "=", id)).Then(clientv3.OpPut("/barn/1", v)).Commit() // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errLost
	}
	return nil
}

func unheard(ctx context.Context, c *clientv3.Client, v string) error {
	l := &bolt{store: c, rents: c, name: "/locks/barn"}
	if err := l.Shut(ctx); err != nil {
		return err
	}
	defer l.Open(ctx)
	_, err := c.Txn(ctx).If(clientv3.Compare(clientv3.LeaseValue(l.name), "=", l.rent)).Then(clientv3.OpPut("/barn/1", v)).Commit() // want "rejectionignored"
	return err
}
