// Package byhand takes locks by commands and scripts of Redis; marks and cooldowns,
// which are made by the same commands, stand beside them.
//
//fencelint:lock correctness
package byhand

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	take = `return redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])`
	drop = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) else return 0 end`
)

var errTaken = errors.New("taken")

// Lock is kept by two scripts.
type Lock struct {
	rdb   *redis.Client
	key   string
	token string
}

// Acquire waits for the lock.
func (l *Lock) Acquire(ctx context.Context) error {
	for {
		answer, err := l.rdb.Eval(ctx, take, []string{l.key}, l.token, 30000).Result()
		if err != nil && err != redis.Nil {
			return err
		}
		if answer == "OK" {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Release gives it back.
func (l *Lock) Release(ctx context.Context) error {
	return l.rdb.Eval(ctx, drop, []string{l.key}, l.token).Err()
}

// Work writes under it.
func Work(ctx context.Context, l *Lock, db *sql.DB) error {
	if err := l.Acquire(ctx); err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE t SET a = 1`) // want "unfencedwrite"
	return err
}

// Mark tells that a message was seen; it is taken back only when the work failed.
func Mark(ctx context.Context, rdb *redis.Client, db *sql.DB, id string) error {
	first, err := rdb.SetNX(ctx, "seen:"+id, 1, 24*time.Hour).Result()
	if err != nil || !first {
		return err
	}
	if _, err := db.ExecContext(ctx, `UPDATE t SET a = 1`); err != nil {
		rdb.Del(ctx, "seen:"+id)
		return err
	}
	return nil
}

// Cooldown lets one through a minute.
func Cooldown(ctx context.Context, rdb *redis.Client, db *sql.DB, user string) error {
	ok, err := rdb.SetNX(ctx, "mail-block:"+user, 1, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errTaken
	}
	_, err = db.ExecContext(ctx, `UPDATE t SET a = 1`)
	return err
}
