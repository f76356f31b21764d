// Package heardgroup hands functions to groups that tell of their errors when they are waited for.
package heardgroup

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"github.com/sourcegraph/conc/pool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

// H writes.
type H struct {
	s  *concurrency.Session
	db *sql.DB
}

func (h *H) put(ctx context.Context, n int64) error {
	res, err := h.db.ExecContext(ctx, `UPDATE heard SET n = n + 1, fence = $1 WHERE id = 1 AND fence < $1`, n)
	if err != nil {
		return err
	}
	if k, err := res.RowsAffected(); err != nil || k == 0 {
		return errStale
	}
	return nil
}

// GoodPool hears of it.
func (h *H) GoodPool(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/heard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	g := pool.New().WithErrors()
	g.Go(func() error { return h.put(ctx, m.Header().Revision) })
	return g.Wait()
}

// BadPool logs it.
func (h *H) BadPool(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/heard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	g := pool.New().WithErrors()
	g.Go(func() error { return h.put(ctx, m.Header().Revision) }) // want "rejectionignored"
	if err := g.Wait(); err != nil {
		log.Println(err)
	}
	return nil
}

// BadNobody drops the answer.
func (h *H) BadNobody(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/heard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	g := pool.New().WithErrors()
	g.Go(func() error { return h.put(ctx, m.Header().Revision) }) // want "rejectionignored"
	_ = g.Wait()
	return nil
}
