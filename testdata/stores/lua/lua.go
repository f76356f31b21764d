// Package lua writes to Redis in Lua scripts.
package lua

import (
	"context"
	_ "embed"
	"errors"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

const texts = `
local last = redis.call('GET', KEYS[2]) or '0'
if ARGV[1] <= last then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`

func BadTexts(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := rdb.Eval(ctx, texts, []string{"seat", "seat:fence"}, m.Header().Revision, g).Int() // want "fencecolumn"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var strict = redis.NewScript(`
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

func BadErrOnly(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return strict.Run(ctx, rdb, []string{"seat", "seat:fence"}, m.Header().Revision, g).Err() // want "rejectionignored"
}

func Good(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := strict.Run(ctx, rdb, []string{"seat", "seat:fence"}, m.Header().Revision, g).Int()
	if err != nil {
		return err
	}
	if n != 1 {
		return errStale
	}
	return nil
}

const byError = `
local last = tonumber(redis.call('HGET', KEYS[1], 'f') or '0')
if tonumber(ARGV[1]) <= last then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'v', ARGV[2])
return 'OK'`

func GoodByError(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, byError, []string{"seat:{1}"}, m.Header().Revision, g).Err()
}

const late = `
redis.call('HSET', KEYS[1], 'v', ARGV[2])
if tonumber(ARGV[1]) <= tonumber(redis.call('HGET', KEYS[1], 'f') or '0') then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'f', ARGV[1])
return 'OK'`

func BadLate(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, late, []string{"seat:{1}"}, m.Header().Revision, g).Err() // want "staleadmitted"
}

const keeps = `
if tonumber(ARGV[1]) <= tonumber(redis.call('HGET', KEYS[1], 'f') or '0') then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'v', ARGV[2])
return 'OK'`

func BadKeeps(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, keeps, []string{"seat:{1}"}, m.Header().Revision, g).Err() // want "fencenotadvanced"
}

const equal = `
if tonumber(ARGV[1]) < tonumber(redis.call('HGET', KEYS[1], 'f') or '0') then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[1], 'f', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'n', ARGV[2])
return 'OK'`

func BadEqual(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, equal, []string{"seat:{1}"}, m.Header().Revision, g).Err() // want "equaladmitted"
}

const plain = `redis.call('HSET', KEYS[1], 'v', ARGV[1]) return 1`

func BadPlain(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, plain, []string{"seat:{1}"}, g).Err() // want "unfencedwrite"
}

const expiring = `
if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[1]) or '0') then return redis.error_reply('STALE') end
redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)
redis.call('SET', KEYS[2], ARGV[2])
return 'OK'`

func BadExpiring(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, expiring, []string{"f", "seat:{1}"}, m.Header().Revision, g).Err() // want "nulladmitted"
}

const odd = `local w = load(ARGV[2]) w() return 1`

func BadOdd(ctx context.Context, s *concurrency.Session, rdb *redis.Client, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return rdb.Eval(ctx, odd, []string{"f", "seat:{1}"}, m.Header().Revision, g).Err() // want "unprovedwrite"
}
