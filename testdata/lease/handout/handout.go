// Package handout hands a lock to its caller.
package handout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

var errTaken = errors.New("the lock is taken")

type lock struct {
	rdb     *redis.Client
	key, me string
}

var unlock = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)

func (l *lock) Unlock(ctx context.Context) error {
	return unlock.Run(ctx, l.rdb, []string{"lock:" + l.key}, l.me).Err()
}

// take hands out a lock that somebody else may have.
func take(ctx context.Context, rdb *redis.Client, key string) (*lock, error) {
	me := uuid.NewString()
	//fencelint:lock correctness
	_, err := rdb.SetNX(ctx, "lock:"+key, me, time.Minute).Result() // want "acquireignored"
	if err != nil {
		return nil, err
	}
	return &lock{rdb, key, me}, nil
}

// try says when somebody else has it.
func try(ctx context.Context, rdb *redis.Client, key string) (*lock, error) {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:"+key, me, time.Minute).Result()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errTaken
	}
	return &lock{rdb, key, me}, nil
}

// maybe hands out none.
func maybe(ctx context.Context, rdb *redis.Client, key string) (*lock, error) {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:"+key, me, time.Minute).Result()
	if err != nil || !ok {
		return nil, err
	}
	return &lock{rdb, key, me}, nil
}

// told hands the answer on.
func told(ctx context.Context, rdb *redis.Client, key string) (*lock, bool, error) {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:"+key, me, time.Minute).Result()
	return &lock{rdb, key, me}, ok, err
}
