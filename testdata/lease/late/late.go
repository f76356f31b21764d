// Package late has good programs of the kinds that are easily taken for bad ones.
package late

import (
	"context"
	"database/sql"
	"log/slog"
	"sync"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/hashicorp/consul/api"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// GoodRounds acquires anew in each round.
func GoodRounds(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	for range 3 {
		//fencelint:lock correctness
		if err := m.LockContext(ctx); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
		m.UnlockContext(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// GoodDeferWait waits in a deferred call that runs before the release.
func GoodDeferWait(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
	})
	return nil
}

// BadDeferWait waits after the release: deferred calls run in reverse.
func BadDeferWait(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	wg.Go(func() { // want "outliveshold"
		_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
	})
	return nil
}

// GoodClosed waits for a channel that the goroutine closes at its end.
func GoodClosed(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
	}()
	<-done
	return nil
}

// GoodRetry tries three times before it gives up.
func GoodRetry(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "a", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(10 * time.Second):
				if err := refresh(ctx, lock); err != nil {
					cancel(err)
					return
				}
			}
		}
	}()
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

func refresh(ctx context.Context, lock *redislock.Lock) (err error) {
	for range 3 {
		if err = lock.Refresh(ctx, time.Minute, nil); err == nil {
			return nil
		}
		slog.Warn("refresh", "err", err)
	}
	return err
}

// Leader hands its channel on.
type Leader struct {
	lock *api.Lock
	lost <-chan struct{}
}

// Lead keeps the channel in a field.
func (l *Leader) Lead(stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.lock.Lock(stop)
	if err != nil || lost == nil {
		return err
	}
	l.lost = lost
	for {
		if _, err := db.Exec(plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}

// GoodCtx works with the session's context.
func GoodCtx(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/x")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	ctx = s.Ctx()
	for ctx.Err() == nil {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
	return ctx.Err()
}

// GoodBefore writes something before it acquires.
func GoodBefore(ctx context.Context, m *redsync.Mutex, db *sql.DB) (err error) {
	if _, err := db.ExecContext(ctx, `INSERT INTO visits (n) VALUES (1)`); err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer func() {
		if _, uerr := m.UnlockContext(ctx); uerr != nil && err == nil {
			err = uerr
		}
	}()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	_, err = tx.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}
