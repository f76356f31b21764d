// Package rueidiss locks by a script.
package rueidiss

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/redis/rueidis"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

var (
	take = rueidis.NewLuaScript(`if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return 1 end return 0`)
	free = rueidis.NewLuaScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)
)

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c rueidis.Client, db *sql.DB) (bool, error) {
	me := uuid.NewString()
	//fencelint:lock correctness
	got, err := take.Exec(ctx, c, []string{"lock:stall"}, []string{me}).AsInt64()
	if err != nil || got == 0 {
		return false, err
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"lock:stall"}, []string{me})
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return true, err
}

// Cheap may happen twice.
func Cheap(ctx context.Context, c rueidis.Client, db *sql.DB) (bool, error) {
	me := uuid.NewString()
	//fencelint:lock efficiency
	got, err := take.Exec(ctx, c, []string{"lock:shade"}, []string{me}).AsInt64()
	if err != nil || got == 0 {
		return false, err
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"lock:shade"}, []string{me})
	_, err = db.ExecContext(ctx, `UPDATE shades SET seen = true WHERE id = 1`)
	return true, err
}
