// Package worker carries tokens through middleware, options, results on channels, and helpers
// that ask for the type of what they are given.
package worker

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Yard builds.
type Yard struct {
	mu     *concurrency.Mutex
	db     *sql.DB
	byDock map[string]int64
	seen   map[string]int64
	docks  sync.Map
}

//fencelint:lock correctness
func (y *Yard) take(ctx context.Context) (int64, func(), error) {
	if err := y.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return y.mu.Header().Revision, func() { y.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func (y *Yard) build(ctx context.Context, id, epoch int64) error {
	return one(y.db.ExecContext(ctx, `UPDATE hulls SET built = true, epoch = $2 WHERE id = $1 AND epoch < $2`, id, epoch))
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// handler and key are of the middleware.
type (
	handler func(ctx context.Context, id int64) error
	key     struct{}
)

func (y *Yard) leased(next handler) handler {
	return func(ctx context.Context, id int64) error {
		epoch, release, err := y.take(ctx)
		if err != nil {
			return err
		}
		defer release()
		return next(context.WithValue(ctx, key{}, epoch), id)
	}
}

// GoodMiddleware has the number in the context.
func (y *Yard) GoodMiddleware(ctx context.Context, id int64) error {
	return y.leased(func(ctx context.Context, id int64) error {
		epoch, ok := ctx.Value(key{}).(int64)
		if !ok {
			return errStale
		}
		return y.build(ctx, id, epoch)
	})(ctx, id)
}

// BadMiddleware has a time.
func (y *Yard) BadMiddleware(ctx context.Context, id int64) error {
	return y.leased(func(ctx context.Context, id int64) error {
		return y.build(ctx, id, time.Now().Unix()) // want "clocktoken"
	})(ctx, id)
}

// change is what options make.
type change struct {
	where []string
	args  []any
}

// Option adds to a change.
type Option func(*change)

// Only adds a condition.
func Only(cond string, args ...any) Option {
	return func(c *change) {
		c.where = append(c.where, cond)
		c.args = append(c.args, args...)
	}
}

// Fenced adds the comparison.
func Fenced(epoch int64) Option {
	return func(c *change) {
		c.where = append(c.where, "epoch < ?")
		c.args = append(c.args, epoch)
	}
}

func (y *Yard) change(ctx context.Context, epoch int64, opts ...Option) error {
	c := change{args: []any{epoch}}
	for _, o := range opts {
		o(&c)
	}
	return one(y.db.ExecContext(ctx, `UPDATE masts SET built = true, epoch = ? WHERE `+strings.Join(c.where, " AND "), c.args...))
}

// GoodOptions has the comparison.
func (y *Yard) GoodOptions(ctx context.Context, id int64) error {
	epoch, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return y.change(ctx, epoch, Only("id = ?", id), Fenced(epoch))
}

// BadOptions has none.
func (y *Yard) BadOptions(ctx context.Context, id int64) error {
	epoch, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return y.change(ctx, epoch, Only("id = ?", id)) // want "tokennotcompared"
}

type outcome struct {
	epoch int64
	err   error
}

func (y *Yard) ask(ctx context.Context, epoch int64) <-chan outcome {
	out := make(chan outcome, 1)
	go func() {
		defer close(out)
		if err := ctx.Err(); err != nil {
			out <- outcome{err: err}
			return
		}
		out <- outcome{epoch: epoch}
	}()
	return out
}

// GoodOutcome reads it from a channel, beside an error.
func (y *Yard) GoodOutcome(ctx context.Context, id int64) error {
	epoch, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	o := <-y.ask(ctx, epoch)
	if o.err != nil {
		return o.err
	}
	return y.build(ctx, id, o.epoch)
}

// BadOutcome sends a time.
func (y *Yard) BadOutcome(ctx context.Context, id int64) error {
	_, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	o := <-y.ask(ctx, time.Now().Unix())
	if o.err != nil {
		return o.err
	}
	return y.build(ctx, id, o.epoch) // want "clocktoken"
}

func number(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	case time.Time:
		return v.UnixNano()
	case outcome:
		return v.epoch
	}
	return 0
}

// GoodTyped is asked for its type.
func (y *Yard) GoodTyped(ctx context.Context, id int64) error {
	epoch, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return y.build(ctx, id, number(outcome{epoch: epoch}))
}

// BadTyped is of another one.
func (y *Yard) BadTyped(ctx context.Context, id int64) error {
	_, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return y.build(ctx, id, number(time.Now())) // want "clocktoken"
}

// GoodKept keeps the numbers of all docks in a map.
func (y *Yard) GoodKept(ctx context.Context, dock string, id int64) error {
	epoch, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	y.byDock[dock] = epoch
	y.docks.Store(dock, epoch)
	if err := y.atDock(ctx, dock, id); err != nil {
		return err
	}
	return y.atSync(ctx, dock, id+1)
}

func (y *Yard) atDock(ctx context.Context, dock string, id int64) error {
	return y.build(ctx, id, y.byDock[dock])
}

func (y *Yard) atSync(ctx context.Context, dock string, id int64) error {
	v, ok := y.docks.Load(dock)
	if !ok {
		return errStale
	}
	return y.build(ctx, id, v.(int64))
}

// BadKept has times in the map.
func (y *Yard) BadKept(ctx context.Context, dock string, id int64) error {
	_, release, err := y.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	y.look(dock)
	return y.build(ctx, id, y.seen[dock]) // want "clocktoken"
}

func (y *Yard) look(dock string) { y.seen[dock] = time.Now().Unix() }

// BadRequest reads the number from a header, and from a part of a query.
func (y *Yard) BadRequest(w http.ResponseWriter, r *http.Request) {
	_, release, err := y.take(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer release()
	a, _ := strconv.ParseInt(r.Header["X-Epoch"][0], 10, 64)
	b, _ := strconv.ParseInt(strings.Split(r.URL.Query().Get("token"), "-")[1], 10, 64)
	err = errors.Join(
		y.build(r.Context(), 1, a), // want "untrustedtoken"
		y.build(r.Context(), 2, b), // want "untrustedtoken"
	)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
	}
}
