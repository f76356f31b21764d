// Package goredis writes keys of Redis with plain commands.
package goredis

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

func lock(ctx context.Context, lc *redislock.Client) (*redislock.Lock, error) {
	//fencelint:lock correctness
	return lc.Obtain(ctx, "lock:sum", time.Minute, nil)
}

// BadSet compares nothing.
func BadSet(ctx context.Context, lc *redislock.Client, rdb *redis.Client, v string) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Set(ctx, "sum", v, 0).Err() // want "unfencedwrite"
}

// GoodWatch reads and writes in one optimistic transaction.
func GoodWatch(ctx context.Context, lc *redislock.Client, rdb *redis.Client, add int64) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		n, err := tx.Get(ctx, "sum").Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, "sum", n+add, 0)
			return nil
		})
		return err
	}, "sum")
}

// BadWatch writes with the client inside the closure, so not in the transaction.
func BadWatch(ctx context.Context, lc *redislock.Client, rdb *redis.Client, add int64) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		n, err := tx.Get(ctx, "sum").Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		return rdb.Set(ctx, "sum", n+add, 0).Err() // want "unfencedwrite"
	}, "sum")
}

// BadPipeline has a transaction that watches nothing.
func BadPipeline(ctx context.Context, lc *redislock.Client, rdb *redis.Client, v string) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, "sum", v, 0) // want "unfencedwrite"
		return nil
	})
	return err
}

// BadQueue writes at once and queues nothing, though it watches.
func BadQueue(ctx context.Context, lc *redislock.Client, rdb *redis.Client, add int64) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		return tx.Set(ctx, "sum", add, 0).Err() // want "unfencedwrite"
	}, "sum")
}

// BadOtherWatched watches another key than the one on which it decides.
func BadOtherWatched(ctx context.Context, lc *redislock.Client, rdb *redis.Client, add int64) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		n, err := tx.Get(ctx, "sum").Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, "sum", n+add, 0) // want "checkthenact"
			return nil
		})
		return err
	}, "other")
}

// GoodAlsoRead reads a key that it does not watch beside the one that it does.
func GoodAlsoRead(ctx context.Context, lc *redislock.Client, rdb *redis.Client, add int64) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return rdb.Watch(ctx, func(tx *redis.Tx) error {
		if open, err := tx.Get(ctx, "open").Bool(); err != nil || !open {
			return err
		}
		n, err := tx.Get(ctx, "sum").Int64()
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Set(ctx, "sum", n+add, 0)
			return nil
		})
		return err
	}, "sum")
}
