// Package acquire looks, or does not look, whether it got the lock.
package acquire

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/hashicorp/consul/api"
	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errBusy = errors.New("busy")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// BadNilChannel tests the error of Consul only.
func BadNilChannel(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := l.Lock(stop); err != nil { // want "acquireignored" "losssignal"
		return err
	}
	defer l.Unlock()
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// GoodNilChannel tests both.
func GoodNilChannel(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errBusy
	}
	defer l.Unlock()
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadErrOnly asks the command for its error.
func BadErrOnly(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	if err := rdb.SetNX(ctx, "lock:a", me, time.Minute).Err(); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadDropped drops the bool.
func BadDropped(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := rdb.SetNX(ctx, "lock:b", me, time.Minute).Result() // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// GoodVal asks for the value.
func GoodVal(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	if !rdb.SetNX(ctx, "lock:c", me, time.Minute).Val() {
		return errBusy
	}
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// GoodWait tries until it has it.
func GoodWait(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	for {
		//fencelint:lock correctness
		ok, err := rdb.SetNX(ctx, "lock:d", me, time.Minute).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		time.Sleep(time.Second)
	}
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// try hands the answer back.
func try(ctx context.Context, rdb *redis.Client, key, me string) (bool, error) {
	return rdb.SetNX(ctx, key, me, time.Minute).Result()
}

// GoodTry looks at what it is handed.
func GoodTry(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	ok, err := try(ctx, rdb, "lock:e", me)
	if err != nil || !ok {
		return err
	}
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadTry does not.
func BadTry(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := try(ctx, rdb, "lock:f", me) // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadRedsync drops the error.
func BadRedsync(ctx context.Context, rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("g")
	//fencelint:lock correctness
	_ = m.LockContext(ctx) // want "acquireignored"
	defer m.UnlockContext(ctx)
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadLogged logs it and goes on.
func BadLogged(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "h")
	//fencelint:lock correctness
	if err := m.TryLock(ctx); err != nil { // want "acquireignored"
		log.Println("no lock", err)
	}
	defer m.Unlock(ctx)
	_, err := db.Exec(plain) // want "unfencedwrite"
	return err
}

// GoodSkip does nothing if the lock is taken.
func GoodSkip(ctx context.Context, lc *redislock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "i", time.Minute, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return nil
	} else if err != nil {
		return err
	}
	defer lock.Release(ctx)
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadAdvisory scans the answer and forgets it.
func BadAdvisory(ctx context.Context, conn *sql.Conn, db *sql.DB) error {
	var got bool
	//fencelint:lock correctness
	err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(7)`).Scan(&got) // want "acquireignored"
	if err != nil {
		return err
	}
	defer conn.ExecContext(ctx, `SELECT pg_advisory_unlock(7)`)
	_, err = conn.ExecContext(ctx, plain)
	return err
}

// GoodAdvisory looks at it.
func GoodAdvisory(ctx context.Context, conn *sql.Conn, db *sql.DB) error {
	var got bool
	//fencelint:lock correctness
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock(8)`).Scan(&got); err != nil {
		return err
	}
	if !got {
		return errBusy
	}
	defer conn.ExecContext(ctx, `SELECT pg_advisory_unlock(8)`)
	_, err := conn.ExecContext(ctx, plain)
	return err
}

// GoodHelper lets a helper look.
func GoodHelper(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:k", me, time.Minute).Result()
	if err := check(ok, err); err != nil {
		return err
	}
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

func check(ok bool, err error) error {
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	return nil
}

// Shop keeps its lock in a field.
type Shop struct {
	lock *api.Lock
	db   *sql.DB
}

// Open loses the channel, so that its callers take no for yes.
func (s *Shop) Open(stop <-chan struct{}) error {
	//fencelint:lock correctness
	_, err := s.lock.Lock(stop) // want "acquireignored"
	return err
}

// GoodOpen is told of no by an error.
func (s *Shop) GoodOpen(stop <-chan struct{}) error {
	//fencelint:lock correctness
	ch, err := s.lock.Lock(stop)
	if err != nil {
		return err
	}
	if ch == nil {
		return errBusy
	}
	return nil
}
