// Package scripted takes locks by scripts, whose answer alone says whether they were free.
package scripted

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errTaken = errors.New("another worker has it")

var (
	take = redis.NewScript(`if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return 1 end return 0`)
	draw = redis.NewScript(`if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return 0 end return redis.call('INCR', KEYS[2])`)
	turn = redis.NewScript(`if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return 0 end return 1`)
	free = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)
)

// Yard counts.
type Yard struct {
	rdb *redis.Client
	db  *sql.DB
}

func (y *Yard) count(ctx context.Context) error {
	_, err := y.db.ExecContext(ctx, `UPDATE yards SET n = n + 1`)
	return err
}

// BadDropped looks at the error alone.
func (y *Yard) BadDropped(ctx context.Context) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := take.Run(ctx, y.rdb, []string{"yard"}, me).Err(); err != nil { // want "acquireignored"
		return err
	}
	defer free.Run(context.WithoutCancel(ctx), y.rdb, []string{"yard"}, me)
	return y.count(ctx) // want "unfencedwrite"
}

// BadMany asks for too much.
func (y *Yard) BadMany(ctx context.Context) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	n, err := draw.Run(ctx, y.rdb, []string{"{yard}", "{yard}:n"}, me).Int() // want "acquireignored"
	if err != nil || n > 1000 {
		return err
	}
	defer free.Run(context.WithoutCancel(ctx), y.rdb, []string{"{yard}"}, me)
	return y.count(ctx) // want "unfencedwrite"
}

// Number looks at it.
func (y *Yard) Number(ctx context.Context) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	n, err := take.Run(ctx, y.rdb, []string{"yard"}, me).Int()
	if err != nil {
		return err
	}
	if n != 1 {
		return errTaken
	}
	defer free.Run(context.WithoutCancel(ctx), y.rdb, []string{"yard"}, me)
	return y.count(ctx) // want "unfencedwrite"
}

// Yes takes it for a yes or a no.
func (y *Yard) Yes(ctx context.Context) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := take.Run(ctx, y.rdb, []string{"yard"}, me).Bool()
	if err != nil || !ok {
		return err
	}
	defer free.Run(context.WithoutCancel(ctx), y.rdb, []string{"yard"}, me)
	return y.count(ctx) // want "unfencedwrite"
}

// Turned has a script that answers the other way round.
func (y *Yard) Turned(ctx context.Context) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	n, err := turn.Run(ctx, y.rdb, []string{"yard"}, me).Int()
	if err != nil || n != 0 {
		return err
	}
	defer free.Run(context.WithoutCancel(ctx), y.rdb, []string{"yard"}, me)
	return y.count(ctx) // want "unfencedwrite"
}
