// Package maybecarried has numbers that a context carries, or does not.
package maybecarried

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type key int

const k key = 0

var errStale = errors.New("stale")

// H writes.
type H struct {
	s  *concurrency.Session
	db *sql.DB
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

func (h *H) put(ctx context.Context, n int64) error {
	return one(h.db.ExecContext(ctx, `UPDATE maybecarried SET n = n + 1, fence = $1 WHERE id = 1 AND fence < $1`, n))
}

// GoodHere makes the context itself: the number is always there.
func (h *H) GoodHere(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	ctx = context.WithValue(ctx, k, m.Header().Revision)
	n, _ := ctx.Value(k).(int64)
	return h.put(ctx, n)
}

// BadDropped takes it for there.
func (h *H) BadDropped(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, _ := ctx.Value(k).(int64)
	return h.put(ctx, n) // want "zerotoken"
}

// GoodLooked looks.
func (h *H) GoodLooked(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, ok := ctx.Value(k).(int64)
	if !ok {
		return errStale
	}
	return h.put(ctx, n)
}

// BadLooked looks and goes on.
func (h *H) BadLooked(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, ok := ctx.Value(k).(int64)
	if !ok {
		println("none")
	}
	return h.put(ctx, n) // want "zerotoken"
}

func epochOf(ctx context.Context) int64 {
	n, _ := ctx.Value(k).(int64)
	return n
}

// GoodInstead has another number where there is none.
func (h *H) GoodInstead(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, ok := withEpoch(ctx, m.Header().Revision).Value(k).(int64)
	if !ok {
		n = m.Header().Revision
	}
	return h.put(ctx, n)
}

// BadFrom asks through a helper and does not look.
func (h *H) BadFrom(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, _ := epochFrom(ctx)
	return h.put(ctx, n) // want "zerotoken"
}

func epochFrom(ctx context.Context) (int64, bool) {
	n, ok := ctx.Value(k).(int64)
	return n, ok
}

func withEpoch(ctx context.Context, n int64) context.Context { return context.WithValue(ctx, k, n) }

// GoodHelper makes the context of the helper.
func (h *H) GoodHelper(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.save(withEpoch(ctx, m.Header().Revision))
}

func (h *H) save(ctx context.Context) error { return h.put(ctx, epochOf(ctx)) }

// BadHelper hands on the one that it has.
func (h *H) BadHelper(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return h.save(ctx) // want "zerotoken"
}

// GoodFrom asks through a helper and looks.
func (h *H) GoodFrom(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	ctx = withEpoch(ctx, m.Header().Revision)
	n, ok := epochFrom(ctx)
	if !ok {
		return errStale
	}
	return h.put(ctx, n)
}

// ServeHTTP takes a number that a middleware may have left out.
func (h *H) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	m := concurrency.NewMutex(h.s, "/locks/maybecarried")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, _ := ctx.Value(k).(int64)
	if err := h.put(ctx, n); err != nil { // want "zerotoken"
		http.Error(w, err.Error(), 500)
	}
}
