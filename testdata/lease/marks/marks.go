// Package marks sets keys that are no locks.
package marks

import (
	"context"
	"database/sql"
	"time"

	"github.com/bsm/redislock"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// Seen leaves a mark, beside a lock.
//
//fencelint:lock correctness
func Seen(ctx context.Context, lc *redislock.Client, rdb *redis.Client, db *sql.DB, id string) error {
	fresh, err := rdb.SetNX(ctx, "seen:"+id, 1, 0).Result()
	if err != nil || !fresh {
		return err
	}
	lock, err := lc.Obtain(ctx, "farm", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(ctx)
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// Cached fills a cache and clears it when it is wrong.
func Cached(ctx context.Context, rdb *redis.Client, key string) error {
	if err := rdb.SetNX(ctx, "page:"+key, "x", time.Hour).Err(); err != nil {
		return err
	}
	return rdb.Del(ctx, "page:"+key).Err()
}

// Leader shows two signs: its name, and that it is deleted again.
func Leader(ctx context.Context, rdb *redis.Client, db *sql.DB) error {
	ok, err := rdb.SetNX(ctx, "leader:farm", uuid.NewString(), time.Minute).Result() // want "lockclass"
	if err != nil || !ok {
		return err
	}
	defer rdb.Del(ctx, "leader:farm")
	_, err = db.ExecContext(ctx, plain)
	return err
}

// Slot is deleted elsewhere, by the same field.
type Slot struct {
	rdb     *redis.Client
	lockKey string
}

// Take acquires it.
func (s *Slot) Take(ctx context.Context) (bool, error) {
	return s.rdb.SetNX(ctx, s.lockKey, "me", time.Minute).Result() // want "lockclass"
}

// Give gives it back.
func (s *Slot) Give(ctx context.Context) error { return s.rdb.Del(ctx, s.lockKey).Err() }
