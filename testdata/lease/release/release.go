// Package release gives locks back.
package release

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errBusy = errors.New("busy")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

var unlock = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

// BadLookThenDelete looks in a step of its own.
func BadLookThenDelete(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:a", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer func() {
		if v, err := rdb.Get(ctx, "lock:a").Result(); err == nil && v == me {
			rdb.Del(ctx, "lock:a") // want "unsaferelease"
		}
	}()
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// GoodScript compares and deletes in one step.
func GoodScript(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:b", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer unlock.Run(ctx, rdb, []string{"lock:b"}, me)
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadHost compares with a name that comes again.
func BadHost(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	me, err := os.Hostname()
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:c", me, time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer unlock.Run(ctx, rdb, []string{"lock:c"}, me) // want "unsaferelease"
	_, err = db.Exec(plain)                            // want "unfencedwrite"
	return err
}

// Gate keeps the lock in its fields.
type Gate struct {
	rdb *redis.Client
	key string
}

// Enter acquires.
func (g *Gate) Enter(ctx context.Context) (bool, error) {
	return g.rdb.SetNX(ctx, g.key, uuid.NewString(), time.Minute).Result()
}

// Leave gives back whatever is there.
func (g *Gate) Leave(ctx context.Context) {
	g.rdb.Del(ctx, g.key) // want "unsaferelease"
}

// BadGate goes through.
func BadGate(ctx context.Context, g *Gate, db *sql.DB) error {
	//fencelint:lock correctness
	ok, err := g.Enter(ctx)
	if err != nil || !ok {
		return err
	}
	defer g.Leave(ctx)
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadElsewhere unlocks through the pool.
func BadElsewhere(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(1)`); err != nil {
		return err
	}
	defer db.ExecContext(ctx, `SELECT pg_advisory_unlock(1)`) // want "unsaferelease"
	_, err = conn.ExecContext(ctx, plain)
	return err
}

// BadEarly returns the connection on one way without an unlock.
func BadEarly(ctx context.Context, db *sql.DB, rows int) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // want "unsaferelease"
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(2)`); err != nil {
		return err
	}
	if rows == 0 {
		return errBusy
	}
	_, err = conn.ExecContext(ctx, plain)
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock(2)`); err != nil {
		return err
	}
	return err
}
