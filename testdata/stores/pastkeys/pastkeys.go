// Package pastkeys changes keys and objects beside the guard that protects them.
package pastkeys

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

// Publish writes the config under the lock.
func Publish(ctx context.Context, cli *clientv3.Client, m *concurrency.Mutex, v string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	res, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/config", v)).Commit()
	if err != nil {
		return err
	}
	if !res.Succeeded {
		return errStale
	}
	return nil
}

// Reset goes past.
func Reset(ctx context.Context, cli *clientv3.Client) error {
	_, err := cli.Put(ctx, "/config", "{}") // want "bypasswrite"
	return err
}

// Drop goes past.
func Drop(ctx context.Context, cli *clientv3.Client) error {
	_, err := cli.Delete(ctx, "/config") // want "bypasswrite"
	return err
}

const fenced = `
local f = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
if tonumber(ARGV[1]) <= f then return 0 end
redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'v', ARGV[2])
return 1`

// Cache writes the state under the lock.
func Cache(ctx context.Context, rdb *redis.Client, m *concurrency.Mutex, v string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	n, err := rdb.Eval(ctx, fenced, []string{"state"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// Wipe goes past.
func Wipe(ctx context.Context, rdb *redis.Client) error {
	return rdb.HSet(ctx, "state", "v", "").Err() // want "bypasswrite"
}

// Clear is run by an operator.
//
//fencelint:admin reason="with the workers stopped"
func Clear(ctx context.Context, cli *clientv3.Client) error {
	_, err := cli.Delete(ctx, "/config")
	return err
}

// Elsewhere writes what nobody protects, and adds to what somebody does.
func Elsewhere(ctx context.Context, cli *clientv3.Client, rdb *redis.Client, key string) error {
	if _, err := cli.Put(ctx, "/motd", "hello"); err != nil {
		return err
	}
	if _, err := cli.Put(ctx, key, "{}"); err != nil {
		return err
	}
	return rdb.HIncrBy(ctx, "state", "reads", 1).Err()
}

// Held writes the key in the hold of a lock: what that lacks is told there.
func Held(ctx context.Context, cli *clientv3.Client, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	_, err := cli.Put(ctx, "/config", "{}") // want "unfencedwrite"
	return err
}

// Compared writes the key only if nobody has in between.
func Compared(ctx context.Context, cli *clientv3.Client, seen int64, v string) (bool, error) {
	res, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/config"), "=", seen)).Then(clientv3.OpPut("/config", v)).Commit()
	if err != nil {
		return false, err
	}
	return res.Succeeded, nil
}
