// Package lists hands what became of a lock, and of a write, to helpers that take as many
// answers as there are.
package lists

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"fencelint.example/lease/lists/must"
	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type app struct {
	rdb *redis.Client
	lc  *redislock.Client
	db  *sql.DB
	m   *concurrency.Mutex
	id  string
}

var errStale = errors.New("stale")

func orPanic(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(err)
		}
	}
}

func orLog(errs ...error) {
	for _, err := range errs {
		if err != nil {
			log.Println(err)
		}
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

const once = "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING"
const fenced = "UPDATE days SET f = $1 WHERE id = 1 AND f < $1"

func (a *app) work(ctx context.Context) {
	a.db.ExecContext(ctx, once)
}

func (a *app) goodOwn(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	orPanic(err)
	a.work(ctx)
}

func (a *app) goodOwn2(ctx context.Context) {
	err0 := a.db.PingContext(ctx)
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	orPanic(err0, err)
	a.work(ctx)
}

func (a *app) badOwn(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx) // want "acquireignored"
	orLog(err)
	a.work(ctx)
}

func (a *app) goodTell(ctx context.Context) error {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	if err := firstOf(err); err != nil {
		return err
	}
	a.work(ctx)
	return nil
}

func (a *app) goodElse(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	must.OrPanic(err)
	a.work(ctx)
}

func (a *app) goodElse2(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	must.OrDie(a.db.PingContext(ctx), err)
	a.work(ctx)
}

func (a *app) goodFirst(ctx context.Context) error {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	if must.First(err) != nil {
		return errStale
	}
	a.work(ctx)
	return nil
}

func (a *app) goodAll(ctx context.Context) error {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	if err := must.All(err, a.db.Ping()); err != nil {
		return err
	}
	a.work(ctx)
	return nil
}

func (a *app) badLog(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx) // want "acquireignored"
	must.Log(err)
	a.work(ctx)
}

func (a *app) goodTrue(ctx context.Context) {
	//fencelint:lock correctness
	ok := a.rdb.SetNX(ctx, "k", a.id, time.Minute).Val()
	must.True(ok)
	a.work(ctx)
}

func (a *app) goodAny(ctx context.Context) {
	//fencelint:lock correctness
	ok := a.rdb.SetNX(ctx, "k", a.id, time.Minute).Val()
	if !must.Any(ok) {
		return
	}
	a.work(ctx)
}

func (a *app) goodOne(ctx context.Context) {
	//fencelint:lock correctness
	err := a.m.Lock(ctx)
	must.One(err, "lock")
	a.work(ctx)
}

func (a *app) exec(ctx context.Context) error {
	res, err := a.db.ExecContext(ctx, fenced, a.m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}

func (a *app) goodRefusal(ctx context.Context) {
	//fencelint:lock correctness
	must.OrPanic(a.m.Lock(ctx))
	must.OrPanic(a.exec(ctx))
}

func (a *app) goodRefusalOwn(ctx context.Context) {
	//fencelint:lock correctness
	orPanic(a.m.Lock(ctx))
	orPanic(a.exec(ctx))
}

func (a *app) badRefusal(ctx context.Context) {
	//fencelint:lock correctness
	must.OrPanic(a.m.Lock(ctx))
	must.Log(a.exec(ctx)) // want "rejectionignored"
}

func (a *app) badRefusalOwn(ctx context.Context) {
	//fencelint:lock correctness
	orPanic(a.m.Lock(ctx))
	orLog(a.exec(ctx)) // want "rejectionignored"
}

func (a *app) goodRefusalTold(ctx context.Context) error {
	//fencelint:lock correctness
	orPanic(a.m.Lock(ctx))
	return must.First(a.exec(ctx), a.db.Ping())
}

func (a *app) goodRenew(ctx context.Context) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	for i := 0; i < 10; i++ {
		must.OrDie(l.Refresh(ctx, time.Minute, nil))
		a.db.ExecContext(ctx, once)
	}
	return l.Release(ctx)
}

func (a *app) badRenew(ctx context.Context) error {
	//fencelint:lock correctness
	l, err := a.lc.Obtain(ctx, "k", time.Minute, nil)
	if err != nil {
		return err
	}
	for i := 0; i < 10; i++ {
		must.Log(l.Refresh(ctx, time.Minute, nil)) // want "renewalerror"
		a.db.ExecContext(ctx, once)
	}
	return l.Release(ctx)
}

func (a *app) goodSpread(ctx context.Context) {
	var errs []error
	//fencelint:lock correctness
	errs = append(errs, a.m.Lock(ctx))
	must.OrPanic(errs...)
	a.work(ctx)
}

func anyOf(oks ...bool) bool {
	for _, ok := range oks {
		if ok {
			return true
		}
	}
	return false
}

func (a *app) badAnyOf(ctx context.Context) {
	//fencelint:lock correctness
	ok := a.rdb.SetNX(ctx, "k", a.id, time.Minute).Val() // want "acquireignored"
	if !anyOf(ok, true) {
		return
	}
	a.work(ctx)
}

func (a *app) goodAnyOf(ctx context.Context) {
	//fencelint:lock correctness
	ok := a.rdb.SetNX(ctx, "k", a.id, time.Minute).Val()
	if !anyOf(false, ok) {
		return
	}
	a.work(ctx)
}

func (a *app) badFirstOnly(ctx context.Context) error {
	//fencelint:lock correctness
	err := a.m.Lock(ctx) // want "acquireignored"
	if err := head(a.db.Ping(), err); err != nil {
		return err
	}
	a.work(ctx)
	return nil
}

func head(errs ...error) error {
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}
