// Package gozero locks by a value in one Redis.
package gozero

import (
	"context"
	"database/sql"

	"github.com/zeromicro/go-zero/core/stores/redis"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, r *redis.Redis, db *sql.DB) error {
	l := redis.NewRedisLock(r, "stall")
	l.SetExpire(60)
	//fencelint:lock correctness
	ok, err := l.AcquireCtx(ctx)
	if err != nil || !ok {
		return err
	}
	defer l.ReleaseCtx(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Short sets no expiry: the lock ends after half a second.
func Short(ctx context.Context, r *redis.Redis, db *sql.DB) error {
	l := redis.NewRedisLock(r, "stall")
	//fencelint:lock correctness
	ok, err := l.AcquireCtx(ctx) // want "noexpiry"
	if err != nil || !ok {
		return err
	}
	defer l.ReleaseCtx(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// ErrOnly tests the error only.
func ErrOnly(r *redis.Redis, db *sql.DB) error {
	l := redis.NewRedisLock(r, "stall")
	l.SetExpire(60)
	//fencelint:lock correctness
	if _, err := l.Acquire(); err != nil { // want "acquireignored"
		return err
	}
	defer l.Release()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}
