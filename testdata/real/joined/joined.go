// Package joined has goroutines that acquire, and functions that wait for them and then work.
package joined

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
	"golang.org/x/sync/errgroup"
)

var errStale = errors.New("stale owner")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// BadClosed waits for a channel to be closed.
func BadClosed(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		//fencelint:lock correctness
		err = e.Campaign(ctx, "me")
	}()
	<-done
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadWaited waits for a wait group.
func BadWaited(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var err error
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		//fencelint:lock correctness
		err = e.Campaign(ctx, "me")
	}()
	wg.Wait()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadGroup waits for a group of goroutines that may fail.
func BadGroup(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var g errgroup.Group
	g.Go(func() error {
		//fencelint:lock correctness
		return e.Campaign(ctx, "me")
	})
	if err := g.Wait(); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadSent waits for the error, or for its context.
func BadSent(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	errc := make(chan error, 1)
	go func() {
		//fencelint:lock correctness
		errc <- e.Campaign(ctx, "me")
	}()
	select {
	case err := <-errc:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadOpens tells others that it has acquired.
func BadOpens(ctx context.Context, e *concurrency.Election, db *sql.DB, ready chan struct{}) error {
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	close(ready)
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadReady waits until the goroutine says that it has acquired.
func BadReady(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	ready := make(chan struct{})
	go func() {
		//fencelint:lock correctness
		if err := e.Campaign(ctx, "me"); err != nil {
			return
		}
		close(ready)
	}()
	<-ready
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadSelected waits no longer than its context lives.
func BadSelected(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var err error
	done := make(chan struct{})
	go func() {
		//fencelint:lock correctness
		err = e.Campaign(ctx, "me")
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadHere closes and waits by itself.
func BadHere(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	done := make(chan struct{})
	//fencelint:lock correctness
	err := e.Campaign(ctx, "me")
	close(done)
	<-done
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodClosed carries the revision.
func GoodClosed(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		//fencelint:lock correctness
		err = e.Campaign(ctx, "me")
	}()
	<-done
	if err != nil {
		return err
	}
	rev := e.Rev()
	r, err := db.ExecContext(ctx, `UPDATE farms SET ploughed = true, fence = $1 WHERE id = 1 AND fence < $1`, rev)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}

// GoodWorker leaves the work to the goroutine, which gives back before it ends.
func GoodWorker(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		//fencelint:lock correctness
		if err := e.Campaign(ctx, "me"); err != nil {
			return
		}
		defer e.Resign(context.WithoutCancel(ctx))
		watch(ctx)
	}()
	wg.Wait()
	_, err := db.ExecContext(ctx, `INSERT INTO runs (ended) VALUES (now())`)
	return err
}

// GoodRefused writes only where there was no lock.
func GoodRefused(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		//fencelint:lock correctness
		err = e.Campaign(ctx, "me")
	}()
	<-done
	if err != nil {
		_, err = db.ExecContext(ctx, `INSERT INTO refusals (at) VALUES (now())`)
	}
	return err
}

func watch(context.Context) {}
