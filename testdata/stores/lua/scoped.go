package lua

import (
	"context"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var scriptGoodFirst = redis.NewScript(`local cur = 0
if redis.call('EXISTS', KEYS[2]) == 1 then
cur = tonumber(redis.call('GET', KEYS[2]))
end
if tonumber(ARGV[1]) <= cur then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// GoodFirst asks first whether there is an epoch.
func GoodFirst(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodFirst.Run(ctx, rdb, []string{"goodfirst", "goodfirst:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptBadHidden = redis.NewScript(`local cur = 0
if redis.call('EXISTS', KEYS[2]) == 1 then
local cur = tonumber(redis.call('GET', KEYS[2]))
end
if tonumber(ARGV[1]) <= cur then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// BadHidden reads the epoch into a local of an inner block.
func BadHidden(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadHidden.Run(ctx, rdb, []string{"badhidden", "badhidden:fence"}, m.Header().Revision, v).Int() // want "staleadmitted|tokennotcompared|unfencedwrite"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptGoodFunction = redis.NewScript(`local function newer(a, b) return tonumber(a) > tonumber(b) end
local cur = redis.call('GET', KEYS[2]) or '0'
if not newer(ARGV[1], cur) then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// GoodFunction compares in a function.
func GoodFunction(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodFunction.Run(ctx, rdb, []string{"goodfunction", "goodfunction:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptBadFunction = redis.NewScript(`local function newer(a, b) return tonumber(a) > tonumber(b) end
local cur = redis.call('GET', KEYS[2]) or '0'
if not newer(cur, ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// BadFunction hands the function its values the other way round.
func BadFunction(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadFunction.Run(ctx, rdb, []string{"badfunction", "badfunction:fence"}, m.Header().Revision, v).Int() // want "staleadmitted"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptGoodAssert = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
assert(tonumber(ARGV[1]) > cur, 'stale')
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// GoodAssert ends with an error.
func GoodAssert(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodAssert.Run(ctx, rdb, []string{"goodassert", "goodassert:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptBadAssert = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
pcall(function() assert(tonumber(ARGV[1]) > cur, 'stale') end)
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// BadAssert catches it.
func BadAssert(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadAssert.Run(ctx, rdb, []string{"badassert", "badassert:fence"}, m.Header().Revision, v).Int() // want "unprovedwrite|tokennotcompared"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptGoodValueExpires = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= cur then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2], 'EX', 60)
return 1`)

// GoodValueExpires lets the value go, not the epoch.
func GoodValueExpires(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodValueExpires.Run(ctx, rdb, []string{"goodvalueexpires", "goodvalueexpires:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptBadMoved = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= cur then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('RENAME', KEYS[2], KEYS[1])
return 1`)

// BadMoved moves the epoch over the value.
func BadMoved(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadMoved.Run(ctx, rdb, []string{"badmoved", "badmoved:fence"}, m.Header().Revision, v).Int() // want "staleadmitted|fencenotadvanced"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptBadKeyOfEpoch = redis.NewScript(`local fk = KEYS[2] .. ':' .. ARGV[1]
local cur = tonumber(redis.call('GET', fk) or '0')
if tonumber(ARGV[1]) <= cur then return 0 end
redis.call('SET', fk, ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// BadKeyOfEpoch keeps each epoch under a key of its own.
func BadKeyOfEpoch(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadKeyOfEpoch.Run(ctx, rdb, []string{"badkeyofepoch", "badkeyofepoch:fence"}, m.Header().Revision, v).Int() // want "staleadmitted"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptGoodBelow = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= cur then return -1 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// GoodBelow refuses with -1, which is asked for.
func GoodBelow(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodBelow.Run(ctx, rdb, []string{"goodbelow", "goodbelow:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n < 0 {
		return errStale
	}
	return nil
}

var scriptBadBelow = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= cur then return -1 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

// BadBelow refuses with -1, which nobody asks for.
func BadBelow(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadBelow.Run(ctx, rdb, []string{"badbelow", "badbelow:fence"}, m.Header().Revision, v).Int() // want "rejectionignored"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

var scriptGoodCurrent = redis.NewScript(`local cur = redis.call('GET', KEYS[2])
if cur and tonumber(ARGV[1]) <= tonumber(cur) then return tonumber(cur) end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 0`)

// GoodCurrent refuses with the epoch that is stored.
func GoodCurrent(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptGoodCurrent.Run(ctx, rdb, []string{"goodcurrent", "goodcurrent:fence"}, m.Header().Revision, v).Int()
	if err != nil {
		return err
	}
	if n != 0 {
		return errStale
	}
	return nil
}

var scriptBadCurrent = redis.NewScript(`local cur = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= cur then return cur end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return tonumber(ARGV[1])`)

// BadCurrent takes that epoch for a yes.
func BadCurrent(ctx context.Context, s *concurrency.Session, rdb *redis.Client, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := scriptBadCurrent.Run(ctx, rdb, []string{"badcurrent", "badcurrent:fence"}, m.Header().Revision, v).Int() // want "rejectionignored"
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}
