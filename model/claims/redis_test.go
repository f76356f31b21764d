//go:build unix

package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
)

func redisClient(t *testing.T) (*goredis.Client, string) {
	t.Helper()
	addr := redisServer(t)
	cli := goredis.NewClient(&goredis.Options{Addr: addr})
	t.Cleanup(func() { cli.Close() })
	return cli, addr
}

// A refused SET NX is no error: the answer is false, a nil, or redis.Nil.
func TestSetNX(t *testing.T) {
	cli, addr := redisClient(t)
	ctx := t.Context()
	if ok, err := cli.SetNX(ctx, "k", "a", time.Minute).Result(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if ok, err := cli.SetNX(ctx, "k", "b", time.Minute).Result(); ok || err != nil {
		t.Errorf("SetNX on a taken key: %v, %v", ok, err)
	}
	if err := cli.SetArgs(ctx, "k", "b", goredis.SetArgs{Mode: "NX"}).Err(); !errors.Is(err, goredis.Nil) {
		t.Errorf("SetArgs on a taken key: %v", err)
	}
	conn, err := redis.DialContext(ctx, "tcp", addr)
	must(t, err)
	defer conn.Close()
	trap(t, "github.com/gomodule/redigo/redis.Conn.Do", "err_only_success")
	if reply, err := conn.Do("SET", "k", "b", "NX"); reply != nil || err != nil {
		t.Errorf("redigo on a taken key: %v, %v", reply, err)
	}
}

// A delete without a compare takes the lock of the next owner; a compare in the server does not.
func TestRelease(t *testing.T) {
	cli, _ := redisClient(t)
	ctx := t.Context()
	const compare = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`
	must(t, cli.Set(ctx, "k", "b", time.Minute).Err()) // a has expired, b holds
	if n, err := cli.Eval(ctx, compare, []string{"k"}, "a").Int(); n != 0 || err != nil {
		t.Errorf("the compare deletes %d: %v", n, err)
	}
	if n, err := cli.Del(ctx, "k").Result(); n != 1 || err != nil {
		t.Errorf("Del deletes %d: %v", n, err)
	}
}

// A counter that expires begins anew, so that a later owner's number is not the larger one.
func TestCounterExpires(t *testing.T) {
	cli, _ := redisClient(t)
	ctx := t.Context()
	first := cli.IncrBy(ctx, "n", 5).Val()
	must(t, cli.PExpire(ctx, "n", time.Millisecond).Err())
	for cli.Exists(ctx, "n").Val() == 1 {
		time.Sleep(time.Millisecond)
	}
	if later := cli.Incr(ctx, "n").Val(); later >= first {
		t.Errorf("%d, then %d", first, later)
	}
}

// Who lost a lock of redsync is told by Extend and Unlock, which leave the next owner's
// alone. The values have no order.
func TestRedsync(t *testing.T) {
	const path = "github.com/go-redsync/redsync/v4."
	class(t, path+"Mutex.Lock", "opaque")
	cli, _ := redisClient(t)
	rs := redsync.New(redsyncredis.NewPool(cli))
	a, b := rs.NewMutex("k", redsync.WithExpiry(time.Minute)), rs.NewMutex("k", redsync.WithExpiry(time.Minute), redsync.WithTries(1))
	must(t, a.Lock())
	if err := b.Lock(); err == nil {
		t.Fatal("two owners")
	}
	must(t, cli.Del(context.Background(), "k").Err()) // the time to live is over
	must(t, b.Lock())
	if ok, err := a.Extend(); ok || err == nil {
		t.Errorf("who lost the lock extends it: %v, %v", ok, err)
	}
	if ok, err := a.Unlock(); ok {
		t.Errorf("who lost the lock releases it: %v, %v", ok, err)
	}
	if ok, err := b.Unlock(); !ok || err != nil {
		t.Errorf("the next owner has lost it: %v, %v", ok, err)
	}
}

// The token of redislock is its identity: given by the caller, it lets a second holder in.
func TestRedislock(t *testing.T) {
	const path = "github.com/bsm/redislock."
	class(t, path+"Client.Obtain", "opaque")
	cli, _ := redisClient(t)
	c, ctx := redislock.New(cli), t.Context()
	a, err := c.Obtain(ctx, "k", time.Minute, nil)
	must(t, err)
	if _, err := c.Obtain(ctx, "k", time.Minute, nil); !errors.Is(err, redislock.ErrNotObtained) {
		t.Errorf("two owners: %v", err)
	}
	must(t, cli.Set(ctx, "k", "another owner", time.Minute).Err())
	if err := a.Release(ctx); !errors.Is(err, redislock.ErrLockNotHeld) {
		t.Errorf("who lost the lock releases it: %v", err)
	}
	if err := a.Refresh(ctx, time.Minute, nil); err == nil {
		t.Error("who lost the lock refreshes it")
	}
	own := &redislock.Options{Token: "host-1"}
	for range 2 {
		if _, err := c.Obtain(ctx, "shared", time.Minute, own); err != nil {
			t.Errorf("the same token twice: %v", err)
		}
	}
}
