// Package renew renews its locks.
package renew

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"golang.org/x/sync/errgroup"
)

var errLost = errors.New("lost")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

func work(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, plain)
	return err
}

// BadQuiet ends the goroutine that renews and nothing else.
func BadQuiet(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "a", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	done := make(chan struct{})
	defer close(done)
	go func() {
		t := time.NewTicker(time.Second)
		for {
			select {
			case <-done:
				return
			case <-t.C:
				if err := lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
					slog.Error("refresh", "err", err)
					return
				}
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// GoodCancel cancels the work.
func GoodCancel(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "b", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
				if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
					return
				}
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// BadOwnContext cancels a context that only the renewing goroutine looks at.
func BadOwnContext(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "c", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	rctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for {
			select {
			case <-rctx.Done():
				return
			case <-time.After(time.Second):
				if err := lock.Refresh(rctx, time.Minute, nil); err != nil { // want "renewalerror"
					cancel()
				}
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// GoodChannel sends the failure to the work.
func GoodChannel(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	lost := make(chan error, 1)
	go func() {
		for range time.Tick(time.Second) {
			if ok, err := m.ExtendContext(ctx); err != nil || !ok {
				lost <- errors.Join(errLost, err)
				return
			}
		}
	}()
	for i := 0; i < 9; i++ {
		select {
		case err := <-lost:
			return err
		default:
		}
		if err := work(ctx, db); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// BadChannel sends it where nobody receives.
func BadChannel(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	lost := make(chan error, 1)
	go func() {
		for range time.Tick(time.Second) {
			if ok, err := m.ExtendContext(ctx); err != nil || !ok { // want "renewalerror"
				lost <- errors.Join(errLost, err)
				return
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// GoodExit ends the process.
func GoodExit(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			if _, err := m.ExtendContext(ctx); err != nil {
				log.Fatal(err)
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// BadBool looks at the error only.
func BadBool(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	for range 10 {
		_, _ = m.ExtendContext(ctx)           // want "renewalerror"
		if err := work(ctx, db); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// GoodReturn returns it between two steps.
func GoodReturn(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	for range 10 {
		if ok, err := m.ExtendContext(ctx); !ok || err != nil {
			return errors.Join(errLost, err)
		}
		if err := work(ctx, db); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// GoodGroup gives it to an errgroup.
func GoodGroup(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "d", time.Minute, nil)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(time.Second):
				if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
					return err
				}
			}
		}
	})
	g.Go(func() error { return work(ctx, db) }) // want "unfencedwrite"
	return g.Wait()
}

// keep renews until it fails.
func keep(ctx context.Context, lock *redislock.Lock, lost chan<- struct{}) {
	for {
		time.Sleep(time.Second)
		if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
			close(lost)
			return
		}
	}
}

// GoodKeep is told by a channel that is closed.
func GoodKeep(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "e", time.Minute, nil)
	if err != nil {
		return err
	}
	lost := make(chan struct{})
	go keep(ctx, lock, lost)
	go func() { <-lost; os.Exit(1) }()
	return work(ctx, db) // want "unfencedwrite"
}

// GoodThree gives up after three failures in a row.
func GoodThree(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "f", time.Minute, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		failed := 0
		for ctx.Err() == nil {
			time.Sleep(time.Second)
			if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
				failed++
			} else {
				failed = 0
			}
			if failed > 2 {
				cancel()
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}

// BadRounds refreshes between the parts of its work, and goes on when it could not.
func BadRounds(ctx context.Context, lc *redislock.Client, parts []int64, do func(context.Context, int64) error) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "g", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	for _, part := range parts {
		if err := do(ctx, part); err != nil {
			return err
		}
		if err := lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
			slog.Warn("refresh", "err", err)
		}
	}
	return nil
}

// GoodRounds stops when it could not.
func GoodRounds(ctx context.Context, lc *redislock.Client, parts []int64, do func(context.Context, int64) error) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "h", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	for _, part := range parts {
		if err := do(ctx, part); err != nil {
			return err
		}
		if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
			return err
		}
	}
	return nil
}

// BadSent sends the failure where nobody receives, and stops its ticker.
func BadSent(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "sent", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	lost := make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				if err := lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
					lost <- err
					return
				}
			}
		}
	}()
	return work(ctx, db) // want "unfencedwrite"
}
