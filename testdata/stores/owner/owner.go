// Package owner asks, in the write, whether the lock is still its own.
package owner

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errStale = errors.New("stale owner")

var owned = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
return 1`)

func GoodOwned(ctx context.Context, lc *redislock.Client, rdb *redis.Client, v string) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "{s}:lock", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	n, err := owned.Run(ctx, rdb, []string{"{s}:lock", "{s}:state"}, l.Token(), v).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

func GoodSetNX(ctx context.Context, rdb *redis.Client, v string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "{t}:lock", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	n, err := owned.Run(ctx, rdb, []string{"{t}:lock", "{t}:state"}, me, v).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// BadChosen has a name in place of the value that the library would draw: the next worker of
// that name passes.
func BadChosen(ctx context.Context, lc *redislock.Client, rdb *redis.Client, v string) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "{u}:lock", time.Minute, &redislock.Options{Token: "stoker"})
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	n, err := owned.Run(ctx, rdb, []string{"{u}:lock", "{u}:state"}, l.Token(), v).Int64() // want "identityreused"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// GoodChosen draws one itself.
func GoodChosen(ctx context.Context, lc *redislock.Client, rdb *redis.Client, v string) error {
	opts := &redislock.Options{RetryStrategy: redislock.NoRetry()}
	opts.Token = uuid.NewString()
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "{v}:lock", time.Minute, opts)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	n, err := owned.Run(ctx, rdb, []string{"{v}:lock", "{v}:state"}, l.Token(), v).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}
