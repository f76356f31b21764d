// Package counter draws numbers in the script that grants the lock.
package counter

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errStale = errors.New("a newer owner was there")

const grant = `
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return 0 end
local n = redis.call('INCR', KEYS[2])
`

var (
	ends  = redis.NewScript(grant + `redis.call('EXPIRE', KEYS[2], 86400) return n`)
	stays = redis.NewScript(grant + `redis.call('EXPIRE', KEYS[1], 60) return n`)
	put   = redis.NewScript(`
local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
if tonumber(ARGV[1]) <= last then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'v', ARGV[2])
return 1`)
)

// daily begins again at one when its counter has expired.
func daily(ctx context.Context, rdb *redis.Client, v string) error {
	//fencelint:lock correctness
	n, err := ends.Run(ctx, rdb, []string{"{d}:lock", "{d}:seq"}, uuid.NewString()).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return put.Run(ctx, rdb, []string{"d"}, n, v).Err() // want "volatiletoken"
}

// lasting lets only the lock expire.
func lasting(ctx context.Context, rdb *redis.Client, v string) error {
	//fencelint:lock correctness
	n, err := stays.Run(ctx, rdb, []string{"{l}:lock", "{l}:seq"}, uuid.NewString()).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return put.Run(ctx, rdb, []string{"l"}, n, v).Err()
}

// field draws from a field of a hash, in a step of its own.
func field(ctx context.Context, rdb *redis.Client, v string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "f:lock", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	n, err := rdb.HIncrBy(ctx, "numbers", "f", 1).Result()
	if err != nil {
		return err
	}
	return put.Run(ctx, rdb, []string{"f"}, n, v).Err() // want "unboundcounter"
}

// stock counts in a field that is no number of owners.
func stock(ctx context.Context, rdb *redis.Client) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "s:lock", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	return rdb.HIncrBy(ctx, "stock", "left", -1).Err() // want "unfencedwrite"
}
