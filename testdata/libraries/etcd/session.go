package etcd

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func commit(ctx context.Context, cli *clientv3.Client, owner clientv3.Cmp, price string) error {
	r, err := cli.Txn(ctx).If(owner).Then(clientv3.OpPut("/price/9", price)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errStale
	}
	return nil
}

// Within locks a second mutex of the session in the hold of the first: both are granted.
func Within(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	m := concurrency.NewMutex(s, "/stall/9")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	again := concurrency.NewMutex(s, "/stall/9")
	//fencelint:lock correctness
	if err := again.Lock(ctx); err != nil {
		return err
	}
	defer again.Unlock(ctx)
	return commit(ctx, cli, m.IsOwner(), "7") // want "identityreused"
}

// Beside runs two workers, each with a mutex of the one session.
func Beside(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) {
	go func() {
		m := concurrency.NewMutex(s, "/stall/10")
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return
		}
		defer m.Unlock(ctx)
		_ = commit(ctx, cli, m.IsOwner(), "8") // want "identityreused"
	}()
	go func() {
		m := concurrency.NewMutex(s, "/stall/10")
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return
		}
		defer m.Unlock(ctx)
		_ = commit(ctx, cli, m.IsOwner(), "9") // want "identityreused"
	}()
}

// After gives the first one back before it takes the second, which is a key of its own.
func After(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	for _, price := range []string{"7", "8"} {
		m := concurrency.NewMutex(s, "/stall/11")
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return err
		}
		if err := commit(ctx, cli, m.IsOwner(), price); err != nil {
			return err
		}
		if err := m.Unlock(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Both takes two locks of the session, for two things.
func Both(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	m := concurrency.NewMutex(s, "/stall/12")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	other := concurrency.NewMutex(s, "/stall/13")
	//fencelint:lock correctness
	if err := other.Lock(ctx); err != nil {
		return err
	}
	defer other.Unlock(ctx)
	r, err := cli.Txn(ctx).If(m.IsOwner(), other.IsOwner()).Then(clientv3.OpPut("/price/12", "7")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errStale
	}
	return nil
}
