// Package order writes, commits, waits and releases in good and bad order.
package order

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// BadUnlockThenCommit commits too late.
func BadUnlockThenCommit(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
		return err
	}
	if _, err := m.UnlockContext(ctx); err != nil {
		return err
	}
	return tx.Commit() // want "writeafterrelease"
}

// GoodCommitThenUnlock commits in time.
func GoodCommitThenUnlock(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// BadWriteLater writes when the lock is free.
func BadWriteLater(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
		return err
	}
	m.UnlockContext(ctx)
	_, err := db.ExecContext(ctx, `UPDATE farms SET sown = true WHERE id = 1`) // want "writeafterrelease"
	return err
}

// GoodOtherLater writes something else afterwards, on purpose.
func GoodOtherLater(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
		m.UnlockContext(ctx)
		return err
	}
	m.UnlockContext(ctx)
	_, err := db.ExecContext(ctx, `INSERT INTO visits (n) VALUES (1)`)
	return err
}

// BadGo does not wait.
func BadGo(ctx context.Context, m *redsync.Mutex, db *sql.DB, ids []int) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	for range ids {
		go func() { // want "outliveshold"
			_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
		}()
	}
	return nil
}

// GoodWait waits.
func GoodWait(ctx context.Context, m *redsync.Mutex, db *sql.DB, ids []int) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	var wg sync.WaitGroup
	for range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
		}()
	}
	wg.Wait()
	return nil
}

// GoodGroup waits for a group.
func GoodGroup(ctx context.Context, m *redsync.Mutex, db *sql.DB, ids []int) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	var g errgroup.Group
	for range ids {
		g.Go(func() error {
			_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
			return err
		})
	}
	return g.Wait()
}

// BadTwo starts two and receives once.
func BadTwo(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	errs := make(chan error, 2)
	go func() { // want "outliveshold"
		_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
		errs <- err
	}()
	go func() { // want "outliveshold"
		_, err := db.ExecContext(ctx, `UPDATE barns SET full = true WHERE id = 1`) // want "unfencedwrite"
		errs <- err
	}()
	return <-errs
}

// BadTimeout does not wait when the context ends first.
func BadTimeout(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	done := make(chan error, 1)
	go func() { // want "outliveshold"
		_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BadTimer writes later.
func BadTimer(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "t", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	time.AfterFunc(time.Minute, func() { // want "outliveshold"
		_, _ = db.Exec(plain) // want "unfencedwrite"
	})
	return nil
}

// GoodRenewer starts something that only renews.
func GoodRenewer(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "u", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			time.Sleep(time.Second)
			if lock.Refresh(ctx, time.Minute, nil) != nil {
				cancel()
			}
		}
	}()
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadTTL asks how long is left, and writes.
func BadTTL(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "v", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	left, err := lock.TTL(ctx)
	if err != nil {
		return err
	}
	if left < time.Second {
		return context.DeadlineExceeded
	}
	_, err = db.ExecContext(ctx, plain) // want "checknotfence"
	return err
}

// BadForEver keeps the key.
func BadForEver(ctx context.Context, rdb *redis.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:w", me, 0).Result() // want "noexpiry"
	if err != nil || !ok {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}
