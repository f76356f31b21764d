// Package valkeys locks by a script.
package valkeys

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
	"github.com/valkey-io/valkey-go"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

var (
	take = valkey.NewLuaScript(`if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return 1 end return 0`)
	free = valkey.NewLuaScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)
)

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c valkey.Client, db *sql.DB) (bool, error) {
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
func Cheap(ctx context.Context, c valkey.Client, db *sql.DB) (bool, error) {
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
