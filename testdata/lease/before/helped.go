package before

import (
	"context"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// level reads the key for whoever calls it.
func level(ctx context.Context, cli *clientv3.Client) (string, error) {
	r, err := cli.Get(ctx, "/h")
	if err != nil || len(r.Kvs) == 0 {
		return "", errors.Join(err, errors.New("no level"))
	}
	return string(r.Kvs[0].Value), nil
}

// AskedBefore asks by a function that stands above, ahead of the lock.
func AskedBefore(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	v, err := level(ctx, cli) // want "staleread"
	if err != nil || v == "full" {
		return err
	}
	m := concurrency.NewMutex(s, "/hl")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	_, err = cli.Put(ctx, "/h", "full") // want "unfencedwrite"
	return err
}

// AskedWithin asks by the same function, under the lock.
func AskedWithin(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	m := concurrency.NewMutex(s, "/hl2")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	v, err := level(ctx, cli)
	if err != nil || v == "full" {
		return err
	}
	_, err = cli.Put(ctx, "/h", "full") // want "checkthenact"
	return err
}
