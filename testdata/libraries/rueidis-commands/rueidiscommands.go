// Package rueidiscommands locks with SET NX, built as a command.
package rueidiscommands

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"github.com/redis/rueidis"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c rueidis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := c.Do(ctx, c.B().Set().Key("lock:stall").Value(uuid.NewString()).Nx().Px(time.Minute).Build()).Error(); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored does not look at the answer.
func Ignored(ctx context.Context, c rueidis.Client, db *sql.DB) error {
	//fencelint:lock correctness
	c.Do(ctx, c.B().Set().Key("lock:barn").Value(uuid.NewString()).Nx().Px(time.Minute).Build()) // want "acquireignored"
	_, err := db.ExecContext(ctx, open)                                                          // want "unfencedwrite"
	return err
}

// Plain sets a key whoever has it, which is no lock.
func Plain(ctx context.Context, c rueidis.Client) error {
	return c.Do(ctx, c.B().Set().Key("page").Value("x").Build()).Error()
}

var (
	keep = rueidis.NewLuaScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('STALE') end
redis.call('HSET', KEYS[2], 'who', ARGV[2])
return 1`)
	blind = rueidis.NewLuaScript(`return redis.call('HSET', KEYS[1], 'who', ARGV[1])`)
	free  = rueidis.NewLuaScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)
)

// Scripted writes in a script that asks whose lock it is.
func Scripted(ctx context.Context, c rueidis.Client, who string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := c.Do(ctx, c.B().Set().Key("{s}:lock").Value(me).Nx().Px(time.Minute).Build()).Error(); err != nil {
		return err
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"{s}:lock"}, []string{me})
	return keep.Exec(ctx, c, []string{"{s}:lock", "{s}:desk"}, []string{me, who}).Error()
}

// Blind writes in a script that asks nothing.
func Blind(ctx context.Context, c rueidis.Client, who string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := c.Do(ctx, c.B().Set().Key("{b}:lock").Value(me).Nx().Px(time.Minute).Build()).Error(); err != nil {
		return err
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"{b}:lock"}, []string{me})
	return blind.Exec(ctx, c, []string{"{b}:desk"}, []string{who}).Error() // want "unfencedwrite"
}
