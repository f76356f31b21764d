// Package steal takes what others have.
package steal

import (
	"context"
	"database/sql"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadResume leads with another's number.
func BadResume(ctx context.Context, s *concurrency.Session, db *sql.DB, key string, rev int64) error {
	//fencelint:lock correctness
	e := concurrency.ResumeElection(s, "/leader", key, rev)                        // want "lockstolen"
	_, err := db.ExecContext(ctx, `UPDATE farms SET ploughed = true WHERE id = 1`) // want "unfencedwrite"
	_ = e
	return err
}

// Crew has a lease in a field.
type Crew struct{ lease *lease.BlobClient }

// Board waits its turn.
func (c *Crew) Board(ctx context.Context) error {
	//fencelint:lock correctness
	_, err := c.lease.AcquireLease(ctx, 30, nil)
	return err
}

// Storm does not.
func (c *Crew) Storm(ctx context.Context) error {
	_, err := c.lease.BreakLease(ctx, nil) // want "lockstolen"
	return err
}

// BadInfinite never ends.
func BadInfinite(ctx context.Context, bb *blockblob.Client) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	_, err = lc.AcquireLease(ctx, -1, nil) // want "noexpiry"
	return err
}

// GoodCheap breaks a cheap lock.
func GoodCheap(ctx context.Context, bb *blockblob.Client) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	if _, err := lc.BreakLease(ctx, nil); err != nil {
		return err
	}
	//fencelint:lock efficiency
	_, err = lc.AcquireLease(ctx, 30, nil)
	return err
}

// GoodOwnLease gives a session a lease of its own.
func GoodOwnLease(ctx context.Context, cli *clientv3.Client) error {
	g, err := cli.Grant(ctx, 10)
	if err != nil {
		return err
	}
	s, err := concurrency.NewSession(cli, concurrency.WithLease(g.ID))
	if err != nil {
		return err
	}
	m := concurrency.NewMutex(s, "/x")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	time.Sleep(time.Second)
	return m.Unlock(ctx)
}
