// Package more has further forms.
package more

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/google/uuid"
	"github.com/hashicorp/consul/api"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errBusy = errors.New("busy")
var errLost = errors.New("lost")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// Worker is a house lock with a lifetime of its own.
type Worker struct {
	lock   *redislock.Lock
	cancel context.CancelFunc
	lost   atomic.Bool
	done   chan struct{}
	once   sync.Once
	onLost func(error)
}

// BadHouse ends only its loop.
func BadHouse(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "a", time.Minute, nil)
	if err != nil {
		return err
	}
	w := &Worker{lock: lock, done: make(chan struct{})}
	go w.loop(ctx)
	defer w.stop(ctx)
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

func (w *Worker) loop(ctx context.Context) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-t.C:
			if err := w.lock.Refresh(ctx, time.Minute, nil); err != nil { // want "renewalerror"
				log.Printf("refresh: %v", err)
			}
		}
	}
}

func (w *Worker) stop(ctx context.Context) {
	w.once.Do(func() { close(w.done) })
	_ = w.lock.Release(ctx)
}

// GoodHouse cancels through a field.
func GoodHouse(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "b", time.Minute, nil)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &Worker{lock: lock, cancel: cancel}
	go w.guard(ctx)
	defer w.stop(ctx)
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

func (w *Worker) guard(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(time.Second)
		if err := w.renew(ctx); err != nil {
			w.fail(err)
			return
		}
	}
}

func (w *Worker) renew(ctx context.Context) error {
	if err := w.lock.Refresh(ctx, time.Minute, nil); err != nil {
		return fmt.Errorf("renewing: %w", err)
	}
	return nil
}

func (w *Worker) fail(err error) {
	log.Print(err)
	w.lost.Store(true)
	w.cancel()
}

// GoodOnLost calls back.
func GoodOnLost(ctx context.Context, lc *redislock.Client, db *sql.DB, onLost func(error)) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "c", time.Minute, nil)
	if err != nil {
		return err
	}
	go func() {
		for range time.Tick(time.Second) {
			if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
				onLost(err)
				return
			}
		}
	}()
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodFlag sets a flag that the work reads.
func GoodFlag(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	var lost atomic.Bool
	go func() {
		for range time.Tick(time.Second) {
			if ok, err := m.ExtendContext(ctx); err != nil || !ok {
				lost.Store(true)
				return
			}
		}
	}()
	for range 5 {
		if lost.Load() {
			return errLost
		}
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// BadHalf looks at the error, and false has none.
func BadHalf(ctx context.Context, m *redsync.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return err
	}
	defer m.UnlockContext(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for range time.Tick(time.Second) {
			if _, err := m.ExtendContext(ctx); err != nil {
				cancel()
			}
		}
	}()
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadDeferred releases before it knows that it holds, on no way out of the hold.
func GoodSwitch(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:s", uuid.NewString(), time.Minute).Result()
	switch {
	case err != nil:
		return err
	case !ok:
		return errBusy
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodArgs tells taken by an error.
func GoodArgs(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	err := rdb.SetArgs(ctx, "lock:t", uuid.NewString(), redis.SetArgs{Mode: "NX", TTL: time.Minute}).Err()
	if errors.Is(err, redis.Nil) {
		return errBusy
	}
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadArgs takes redis.Nil for success.
func BadArgs(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	err := rdb.SetArgs(ctx, "lock:u", uuid.NewString(), redis.SetArgs{Mode: "NX", TTL: time.Minute}).Err() // want "acquireignored"
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadArgsForEver has no end.
func BadArgsForEver(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	err := rdb.SetArgs(ctx, "lock:v", uuid.NewString(), redis.SetArgs{Mode: "NX"}).Err() // want "noexpiry"
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadKV drops the bool of Consul.
func BadKV(c *api.Client, session string, db *sql.DB) error {
	//fencelint:lock correctness
	_, _, err := c.KV().Acquire(&api.KVPair{Key: "k", Session: session}, nil) // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadSemaphore drops the channel.
func BadSemaphore(s *api.Semaphore, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := s.Acquire(nil) // want "acquireignored" "losssignal"
	if err != nil {
		return err
	}
	defer s.Release()
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadPool releases a pgx connection with the lock on it.
func BadPool(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // want "unsaferelease"
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(9)`); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, plain)
	return err
}

// GoodPool unlocks first.
func GoodPool(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var got bool
	//fencelint:lock correctness
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(10)`).Scan(&got); err != nil || !got {
		return err
	}
	defer func() {
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_unlock(10)`); err != nil {
			log.Print(err)
		}
	}()
	_, err = conn.Exec(ctx, plain)
	return err
}

// GoodElection runs its loop below a helper that asks the session.
func GoodElection(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	defer s.Close()
	e := concurrency.NewElection(s, "/el")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	return lead(ctx, s, db) // want "unfencedwrite"
}

func lead(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	for {
		select {
		case <-s.Done():
			return errLost
		case <-time.After(time.Second):
		}
		if _, err := db.ExecContext(ctx, plain); err != nil {
			return err
		}
	}
}

// BadElection runs its loop below a helper that does not.
func BadElection(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	defer s.Close()
	e := concurrency.NewElection(s, "/em")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil { // want "losssignal"
		return err
	}
	return toil(ctx, db) // want "unfencedwrite"
}

func toil(ctx context.Context, db *sql.DB) error {
	t := time.NewTicker(time.Second)
	for range t.C {
		if _, err := db.ExecContext(ctx, plain); err != nil {
			return err
		}
	}
	return nil
}
