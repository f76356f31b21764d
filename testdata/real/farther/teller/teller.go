// Package teller takes a lock and goes on to an interface, behind which there is another
// one: which vault is meant is known to nobody here.
package teller

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/farther/vault"
)

// Teller stores things.
type Teller interface {
	Store(ctx context.Context, name string) error
	StoreAs(ctx context.Context, name string, epoch int64) error
}

// New is a teller at two vaults.
func New(c *clientv3.Client, v vault.Vault, f vault.Fenced) *Counter {
	return &Counter{client: c, next: &teller{v, f}}
}

type teller struct {
	vault  vault.Vault
	fenced vault.Fenced
}

func (t *teller) Store(ctx context.Context, name string) error {
	return t.vault.Keep(ctx, name, []byte(name))
}

func (t *teller) StoreAs(ctx context.Context, name string, epoch int64) error {
	return t.fenced.KeepAs(ctx, name, []byte(name), epoch)
}

// Counter lets one after the other to a teller.
type Counter struct {
	client *clientv3.Client
	next   Teller
}

// Store stores under a lock that nobody hears of.
func (c *Counter) Store(ctx context.Context, name string) error {
	s, err := concurrency.NewSession(c.client)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/counter/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return c.next.Store(ctx, name)
}

// StoreOnce hands on the revision that came with the lock.
func (c *Counter) StoreOnce(ctx context.Context, name string) error {
	s, err := concurrency.NewSession(c.client)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/counter/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return c.next.StoreAs(ctx, name, m.Header().Revision)
}
