// Package restated has interfaces of its own with the methods of clients that it calls, so
// that tests do without a server. What the methods do is what those of the clients do.
//
//fencelint:lock correctness
package restated

import (
	"context"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/google/uuid"
	"github.com/hashicorp/consul/api"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// Commands are those of Redis.
type Commands interface {
	SetNX(ctx context.Context, key string, value any, ttl time.Duration) *redis.BoolCmd
	Set(ctx context.Context, key string, value any, ttl time.Duration) *redis.StatusCmd
	Eval(ctx context.Context, script string, keys []string, args ...any) *redis.Cmd
	XInfoConsumers(ctx context.Context, key, group string) *redis.XInfoConsumersCmd
	Forget(ctx context.Context, key string) error // not one of the client
}

const compareAndDelete = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`

// Redis looks at the consumers, which is no write.
func Redis(ctx context.Context, c Commands) error {
	me := uuid.NewString()
	ok, err := c.SetNX(ctx, "lock:stall", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer c.Eval(ctx, compareAndDelete, []string{"lock:stall"}, me)
	if err := c.XInfoConsumers(ctx, "stalls", "all").Err(); err != nil {
		return err
	}
	return c.Set(ctx, "stall", 1, 0).Err() // want "unfencedwrite"
}

// Blind deletes whatever is there, and never expires.
func Blind(ctx context.Context, c interface {
	Commands
	Del(ctx context.Context, keys ...string) *redis.IntCmd
}) error {
	if !c.SetNX(ctx, "lock:shed", uuid.NewString(), 0).Val() { // want "noexpiry"
		return nil
	}
	defer c.Del(ctx, "lock:shed")         // want "unsaferelease"
	return c.Set(ctx, "shed", 1, 0).Err() // want "unfencedwrite"
}

// Keys are those of etcd.
type Keys interface {
	Put(ctx context.Context, key, val string, opts ...clientv3.OpOption) (*clientv3.PutResponse, error)
	Txn(ctx context.Context) clientv3.Txn
	Delete(ctx context.Context, key string, opts ...clientv3.OpOption) (*clientv3.DeleteResponse, error)
}

// Etcd takes a key.
func Etcd(ctx context.Context, kv Keys, lease clientv3.LeaseID) error {
	r, err := kv.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/locks/stall"), "=", 0)).
		Then(clientv3.OpPut("/locks/stall", "me", clientv3.WithLease(lease))).Commit()
	if err != nil || !r.Succeeded {
		return err
	}
	defer kv.Delete(ctx, "/locks/stall")   // want "unsaferelease"
	_, err = kv.Put(ctx, "/stall", "open") // want "unfencedwrite"
	return err
}

// Nodes are those of ZooKeeper.
type Nodes interface {
	Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
	Set(path string, data []byte, version int32) (*zk.Stat, error)
	Delete(path string, version int32) error
}

// Zookeeper takes a node.
func Zookeeper(n Nodes) error {
	if _, err := n.Create("/locks/stall", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		return err
	}
	defer n.Delete("/locks/stall", -1)
	_, err := n.Set("/stall", nil, -1) // want "unfencedwrite"
	return err
}

// Pairs are those of Consul.
type Pairs interface {
	Acquire(p *api.KVPair, q *api.WriteOptions) (bool, *api.WriteMeta, error)
	Release(p *api.KVPair, q *api.WriteOptions) (bool, *api.WriteMeta, error)
	Put(p *api.KVPair, q *api.WriteOptions) (*api.WriteMeta, error)
}

// Consul takes a pair.
func Consul(p Pairs, session string) error {
	pair := &api.KVPair{Key: "lock/stall", Session: session}
	ok, _, err := p.Acquire(pair, nil)
	if err != nil || !ok {
		return err
	}
	defer p.Release(pair, nil)
	_, err = p.Put(&api.KVPair{Key: "stall"}, nil) // want "unfencedwrite"
	return err
}
