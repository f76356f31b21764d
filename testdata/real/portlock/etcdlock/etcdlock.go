// Package etcdlock locks with etcd. The type of its leases is its own.
package etcdlock

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/portlock/port"
)

type Locks struct{ c *clientv3.Client }

func New(c *clientv3.Client) port.Locker { return &Locks{c} }

func NewRunner(c *clientv3.Client) port.Runner { return &Locks{c} }

type lease struct {
	s *concurrency.Session
	m *concurrency.Mutex
}

func (l *lease) Token() int64 { return l.m.Header().Revision }

func (l *lease) Release(ctx context.Context) error {
	defer l.s.Close()
	return l.m.Unlock(ctx)
}

func (k *Locks) Acquire(ctx context.Context, key string) (port.Lease, error) {
	s, err := concurrency.NewSession(k.c)
	if err != nil {
		return nil, err
	}
	m := concurrency.NewMutex(s, key)
	if err := m.Lock(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return &lease{s, m}, nil
}

func (k *Locks) WithLock(ctx context.Context, key string, fn func(ctx context.Context, token int64) error) error {
	s, err := concurrency.NewSession(k.c)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, key)
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return fn(ctx, m.Header().Revision)
}
