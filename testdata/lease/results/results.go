// Package results gives back records of a value and an error, of its own type and of one of
// another package.
package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"time"

	"fencelint.example/lease/results/res"
	"github.com/bsm/redislock"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

type result[T any] struct {
	Val T
	Err error
}

func of[T any](v T, err error) result[T] { return result[T]{v, err} }

func (r result[T]) Unwrap() (T, error) { return r.Val, r.Err }
func (r result[T]) Must() T {
	if r.Err != nil {
		panic(r.Err)
	}
	return r.Val
}
func (r result[T]) OrElse(v T) T {
	if r.Err != nil {
		return v
	}
	return r.Val
}

type app struct {
	db *sql.DB
	lc *redislock.Client
	m  *concurrency.Mutex
}

const once = "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING"

func (a *app) token(ctx context.Context) result[int64] {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return result[int64]{Err: err}
	}
	return result[int64]{Val: a.m.Header().Revision}
}

func (a *app) put(ctx context.Context, t int64) error {
	r, err := a.db.ExecContext(ctx, "UPDATE t1 SET f = $1, v = 1 WHERE id = 1 AND f < $1", t)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func (a *app) putRes(ctx context.Context, t int64) result[int64] {
	r, err := a.db.ExecContext(ctx, "UPDATE t2 SET f = $1, v = 1 WHERE id = 1 AND f < $1", t)
	if err != nil {
		return result[int64]{Err: err}
	}
	n, err := r.RowsAffected()
	if err == nil && n == 0 {
		err = errStale
	}
	return of(n, err)
}

func (a *app) goodUnwrap(ctx context.Context) error {
	t, err := a.token(ctx).Unwrap()
	if err != nil {
		return err
	}
	return a.put(ctx, t)
}

func (a *app) goodMust(ctx context.Context) error {
	return a.put(ctx, a.token(ctx).Must())
}

func (a *app) badOrElse(ctx context.Context) error {
	return a.put(ctx, a.token2(ctx).OrElse(7)) // want "acquireignored" "unfencedwrite"
}

func (a *app) token2(ctx context.Context) result[int64] {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return result[int64]{Err: err}
	}
	return result[int64]{Val: a.m.Header().Revision}
}

func (a *app) badOrZero(ctx context.Context) error {
	return a.put(ctx, a.token3(ctx).OrElse(0)) // want "acquireignored" "zerotoken"
}

func (a *app) token3(ctx context.Context) result[int64] {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return result[int64]{Err: err}
	}
	return result[int64]{Val: a.m.Header().Revision}
}

func (a *app) goodRes(ctx context.Context) error {
	t, err := a.token(ctx).Unwrap()
	if err != nil {
		return err
	}
	_, err = a.putRes(ctx, t).Unwrap()
	return err
}

func (a *app) goodResMust(ctx context.Context) {
	a.putRes(ctx, a.token(ctx).Must()).Must()
}

func (a *app) badResElse(ctx context.Context) int64 {
	return a.putRes(ctx, a.token(ctx).Must()).OrElse(1) // want "rejectionignored"
}

func (a *app) badResDropped(ctx context.Context) {
	a.putRes(ctx, a.token(ctx).Must()) // want "rejectionignored"
}

func (a *app) badResVal(ctx context.Context) error {
	t, err := a.token(ctx).Unwrap()
	if err != nil {
		return err
	}
	v, _ := a.putRes(ctx, t).Unwrap() // want "rejectionignored"
	if v > 5 {
		return errStale
	}
	return nil
}

// of the other package
func (a *app) lockRes(ctx context.Context) res.Result[*redislock.Lock] {
	//fencelint:lock correctness
	return res.Of(a.lc.Obtain(ctx, "k", time.Minute, nil))
}

func (a *app) goodLockRes(ctx context.Context) error {
	l, err := a.lockRes(ctx).Unwrap()
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	_, err = a.db.ExecContext(ctx, once)
	return err
}

func (a *app) goodLockMust(ctx context.Context) error {
	l := a.lockRes(ctx).Must()
	defer l.Release(ctx)
	_, err := a.db.ExecContext(ctx, once)
	return err
}

func (a *app) goodLockIsOk(ctx context.Context) error {
	r := a.lockRes(ctx)
	if !r.IsOk() {
		return r.Error()
	}
	defer r.Must().Release(ctx)
	_, err := a.db.ExecContext(ctx, once)
	return err
}

func (a *app) lockRes2(ctx context.Context) res.Result[*redislock.Lock] {
	//fencelint:lock correctness
	return res.Of(a.lc.Obtain(ctx, "k", time.Minute, nil))
}

func (a *app) badLockRes(ctx context.Context) error {
	l, _ := a.lockRes2(ctx).Unwrap() // want "acquireignored"
	defer l.Release(ctx)
	_, err := a.db.ExecContext(ctx, once)
	return err
}

func (a *app) tokenRes(ctx context.Context) res.Result[int64] {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return res.Err[int64](err)
	}
	return res.Ok(a.m.Header().Revision)
}

func (a *app) goodTokenRes(ctx context.Context) error {
	t, err := a.tokenRes(ctx).Unwrap()
	if err != nil {
		return err
	}
	return a.put(ctx, t)
}

func (a *app) goodTokenMust(ctx context.Context) error {
	return a.put(ctx, a.tokenRes(ctx).Must())
}

func (a *app) goodTokenOk(ctx context.Context) error {
	r := a.tokenRes(ctx)
	if !r.IsOk() {
		return r.Error()
	}
	return a.put(ctx, r.Must())
}

// What is sent on, listed or answered is heard there.
func (a *app) goodList(ctx context.Context) []result[int64] {
	var out []result[int64]
	t := a.token(ctx).Must()
	out = append(out, a.putRes(ctx, t))
	return out
}

func (a *app) goodChan(ctx context.Context, ch chan result[int64]) {
	ch <- a.putRes(ctx, a.token(ctx).Must())
}

func (a *app) goodAnswer(ctx context.Context, w http.ResponseWriter) {
	json.NewEncoder(w).Encode(a.putRes(ctx, a.token(ctx).Must()))
}

func (a *app) goodMap(ctx context.Context, m map[string]result[int64]) {
	m["a"] = a.putRes(ctx, a.token(ctx).Must())
}

func (a *app) goodField(ctx context.Context, to *struct{ last result[int64] }) {
	to.last = a.putRes(ctx, a.token(ctx).Must())
}

func (a *app) goodVar(ctx context.Context) error {
	r := a.putRes(ctx, a.token(ctx).Must())
	if r.Err != nil {
		return r.Err
	}
	return nil
}

func (a *app) badVar(ctx context.Context) error {
	r := a.putRes(ctx, a.token(ctx).Must()) // want "rejectionignored"
	if r.Err != nil {
		log.Println(r.Err)
	}
	return nil
}

func (a *app) goodOverwritten(ctx context.Context) result[int64] {
	r := a.putRes(ctx, a.token(ctx).Must())
	r.Val = 3
	return r
}

func (a *app) goodBuilt(ctx context.Context) (out result[int64]) {
	out.Err = a.put(ctx, a.token(ctx).Must())
	return out
}

func (a *app) goodNested(ctx context.Context) (out struct {
	n int
	r result[int64]
}) {
	out.r = a.putRes(ctx, a.token(ctx).Must())
	return out
}

type status struct {
	OK  bool
	Msg string
}

func (a *app) status(ctx context.Context) status {
	if err := a.put(ctx, a.token(ctx).Must()); err != nil {
		return status{Msg: err.Error()}
	}
	return status{OK: true}
}

func (a *app) goodStatus(ctx context.Context) bool {
	return a.status(ctx).OK
}
