// Package handedon hands functions and handlers on to libraries that call them.
package handedon

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
	"golang.org/x/sync/errgroup"
)

var errStale = errors.New("a newer owner was there")

type crew struct{ group errgroup.Group }

func (c *crew) start(f func() error) { c.group.Go(f) }

func (c *crew) wait() error { return c.group.Wait() }

func onlyOnce(o *sync.Once, f func()) { o.Do(f) }

type page struct{ db *sql.DB }

func (p page) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	_, _ = p.db.ExecContext(r.Context(), "UPDATE pages SET seen = true")
}

// Bad hands on what compares nothing.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/handedon")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	var c crew
	c.start(func() error {
		_, err := db.ExecContext(ctx, "UPDATE crews SET a = 1") // want "unfencedwrite"
		return err
	})
	if err := c.wait(); err != nil {
		return err
	}
	var once sync.Once
	onlyOnce(&once, func() {
		_, _ = db.ExecContext(ctx, "UPDATE crews SET b = 1") // want "unfencedwrite"
	})
	srv := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = db.ExecContext(r.Context(), "UPDATE crews SET c = 1") // want "unfencedwrite"
	})}
	if err := srv.ListenAndServe(); err != nil {
		return err
	}
	return http.ListenAndServe(":80", page{db}) // want "unfencedwrite"
}

func under(s *concurrency.Session, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu := concurrency.NewMutex(s, "/locks/handler")
		//fencelint:lock correctness
		if err := mu.Lock(r.Context()); err != nil {
			return
		}
		defer mu.Unlock(context.WithoutCancel(r.Context()))
		next.ServeHTTP(w, r)
	})
}

// Wrapped has one handler under the lock and another one beside it.
func Wrapped(s *concurrency.Session, db *sql.DB) {
	http.Handle("/", under(s, page{db})) // want "unfencedwrite"
	http.Handle("/look", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = db.ExecContext(r.Context(), "UPDATE looks SET seen = true")
	}))
}

// Good compares the epoch in what it hands on, and hears of a refusal.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/handedon")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision
	var g errgroup.Group
	c := &g
	run(c, func() error {
		res, err := db.ExecContext(ctx, "UPDATE hands SET a = 1, epoch = $1 WHERE epoch < $1", epoch)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errStale, err)
		}
		return nil
	})
	return c.Wait()
}

func run(g *errgroup.Group, f func() error) { g.Go(f) }
