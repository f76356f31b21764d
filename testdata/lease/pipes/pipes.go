// Package pipes draws its numbers in pipelines, transactions and scripts of Redis, and reads
// numbers from texts.
package pipes

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

type app struct {
	rdb *redis.Client
	db  *sql.DB
	m   *concurrency.Mutex
}

func done(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// minted in the same MULTI as the grant
func (a *app) txPipeline(ctx context.Context, id string) error {
	pipe := a.rdb.TxPipeline()
	//fencelint:lock correctness
	got := pipe.SetNX(ctx, "job", id, time.Minute)
	seq := pipe.Incr(ctx, "job:seq")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !got.Val() {
		return errStale
	}
	return done(a.db.ExecContext(ctx, "UPDATE t1 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val()))
}

func (a *app) txPipelined(ctx context.Context, id string) error {
	var got *redis.BoolCmd
	var seq *redis.IntCmd
	_, err := a.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		//fencelint:lock correctness
		got = p.SetNX(ctx, "job", id, time.Minute)
		seq = p.Incr(ctx, "job:seq")
		return nil
	})
	if err != nil {
		return err
	}
	if !got.Val() {
		return errStale
	}
	return done(a.db.ExecContext(ctx, "UPDATE t2 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val()))
}

// apart from the grant
func (a *app) pipelineApart(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	var seq *redis.IntCmd
	if _, err := a.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		seq = p.Incr(ctx, "job:seq")
		return nil
	}); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t3 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val())) // want "unboundcounter"
}

func (a *app) txApart(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	pipe := a.rdb.TxPipeline()
	seq := pipe.Incr(ctx, "job:seq")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t4 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val())) // want "unboundcounter"
}

var grant = redis.NewScript(`
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return 0 end
return redis.call('INCR', KEYS[2])`)

func (a *app) goodScript(ctx context.Context, id string) error {
	//fencelint:lock correctness
	n, err := grant.Run(ctx, a.rdb, []string{"{j}", "{j}:seq"}, id).Int64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return done(a.db.ExecContext(ctx, "UPDATE t5 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n))
}

var only = redis.NewScript(`return redis.call('INCR', KEYS[1])`)

func (a *app) scriptApart(ctx context.Context, id string) error {
	//fencelint:lock correctness
	ok, err := a.rdb.SetNX(ctx, "job", id, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	n, err := only.Run(ctx, a.rdb, []string{"job:seq"}).Int64()
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t6 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "unboundcounter"
}

// Sscan
func (a *app) sscanHandedIn(ctx context.Context, r *http.Request) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	var n int64
	if _, err := fmt.Sscan(r.FormValue("fence"), &n); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t7 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "untrustedtoken"
}

func (a *app) sscanfHandedIn(ctx context.Context, r *http.Request) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	var n int64
	if _, err := fmt.Sscanf(r.Header.Get("X-Fence"), "epoch-%d", &n); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t8 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "untrustedtoken"
}

func (a *app) atoiHandedIn(ctx context.Context, r *http.Request) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	n, err := strconv.ParseInt(r.Header.Get("X-Fence"), 10, 64)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t9 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "untrustedtoken"
}

// text of the own epoch, and back
func (a *app) sscanOwn(ctx context.Context) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	s := fmt.Sprintf("%d", a.m.Header().Revision)
	var n int64
	if _, err := fmt.Sscan(s, &n); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t10 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n))
}

func (a *app) sscanfOwn(ctx context.Context) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	s := fmt.Sprintf("epoch-%d", a.m.Header().Revision)
	var n int64
	if _, err := fmt.Sscanf(s, "epoch-%d", &n); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t11 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n))
}

// read from the store: who knows how it came there
func (a *app) sscanStore(ctx context.Context) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	s, err := a.rdb.Get(ctx, "fence").Result()
	if err != nil {
		return err
	}
	var n int64
	if _, err := fmt.Sscan(s, &n); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t12 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "unboundcounter|unprovedwrite|volatiletoken|opaquetoken|untrustedtoken"
}

func (a *app) parseStore(ctx context.Context) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	n, err := a.rdb.Get(ctx, "fence").Int64()
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t13 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "unboundcounter|unprovedwrite|volatiletoken|opaquetoken|untrustedtoken"
}

// dropped error: zero
func (a *app) sscanZero(ctx context.Context) error {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return err
	}
	defer a.m.Unlock(ctx)
	s := fmt.Sprintf("%d", a.m.Header().Revision)
	var n int64
	fmt.Sscan(s, &n)
	return done(a.db.ExecContext(ctx, "UPDATE t14 SET f = $1, v = 1 WHERE id = 1 AND f < $1", n)) // want "zerotoken|unprovedwrite"
}

// The counter begins again when it has expired.
func (a *app) txVolatile(ctx context.Context, id string) error {
	pipe := a.rdb.TxPipeline()
	//fencelint:lock correctness
	got := pipe.SetNX(ctx, "day", id, time.Minute) // want "acquireignored"
	seq := pipe.Incr(ctx, "day:seq")
	pipe.Expire(ctx, "day:seq", time.Hour) // want "unfencedwrite"
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !got.Val() {
		return errStale
	}
	return done(a.db.ExecContext(ctx, "UPDATE t15 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val())) // want "volatiletoken"
}

// Commands of a plain pipeline may be interrupted by those of others.
func (a *app) plainPipeline(ctx context.Context, id string) error {
	pipe := a.rdb.Pipeline()
	//fencelint:lock correctness
	got := pipe.SetNX(ctx, "hour", id, time.Minute)
	seq := pipe.Incr(ctx, "hour:seq")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !got.Val() {
		return errStale
	}
	return done(a.db.ExecContext(ctx, "UPDATE t16 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val())) // want "unboundcounter"
}

// What is queued beside the lock happens whoever has it.
func (a *app) txWrites(ctx context.Context, id string) error {
	pipe := a.rdb.TxPipeline()
	//fencelint:lock correctness
	got := pipe.SetNX(ctx, "week", id, time.Minute) // want "acquireignored"
	pipe.Set(ctx, "week:data", id, 0)               // want "unfencedwrite"
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !got.Val() {
		return errStale
	}
	return nil
}

func (a *app) txIgnored(ctx context.Context, id string) error {
	pipe := a.rdb.TxPipeline()
	//fencelint:lock correctness
	pipe.SetNX(ctx, "year", id, time.Minute) // want "acquireignored"
	seq := pipe.Incr(ctx, "year:seq")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, "UPDATE t17 SET f = $1, v = 1 WHERE id = 1 AND f < $1", seq.Val()))
}
