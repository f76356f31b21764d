// Package etcdlease provides leases by etcd. Its constructor gives an interface, so
// that the type is converted here and nowhere else.
package etcdlease

import (
	"context"

	"fencelint.example/real/ports/port"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type leaser struct{ client *clientv3.Client }

// New returns a leaser.
func New(client *clientv3.Client) port.Leaser { return &leaser{client} }

type lease struct {
	session *concurrency.Session
	mutex   *concurrency.Mutex
	epoch   int64
}

// Acquire waits for the lease of a name. If anything fails, nothing is held.
func (l *leaser) Acquire(ctx context.Context, name string) (_ port.Lease, err error) {
	session, err := concurrency.NewSession(l.client)
	if err != nil {
		return nil, err
	}
	mutex := concurrency.NewMutex(session, "/leases/"+name)
	defer func() {
		if err != nil {
			_ = mutex.Unlock(context.WithoutCancel(ctx))
			_ = session.Close()
		}
	}()
	if err := mutex.Lock(ctx); err != nil {
		return nil, err
	}
	return &lease{session, mutex, mutex.Header().Revision}, nil
}

// Epoch is the revision of the grant.
func (l *lease) Epoch() int64 { return l.epoch }

// Release gives the lease back.
func (l *lease) Release(ctx context.Context) error {
	if err := l.mutex.Unlock(ctx); err != nil {
		return err
	}
	return l.session.Close()
}
