// Package latch has a lock in Redis, and a mark that only looks like one.
package latch

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Latch is a lock.
type Latch interface {
	Lock(ctx context.Context) error
	Unlock(ctx context.Context) error
}

// Marks notes what was seen.
type Marks interface {
	Seen(ctx context.Context, id string) error
}

// Store makes both.
type Store struct{ rdb *redis.Client }

// New is a store.
func New(rdb *redis.Client) *Store { return &Store{rdb} }

// Latch is the lock of a name.
func (s *Store) Latch(name string) Latch { return &redisLatch{rdb: s.rdb, key: "lock:" + name} }

// Marks are the marks.
func (s *Store) Marks() Marks { return &redisMarks{s.rdb} }

type redisLatch struct {
	rdb        *redis.Client
	key, value string
}

var errBusy = errors.New("somebody else has it")

func (l *redisLatch) Lock(ctx context.Context) error {
	l.value = rand.Text()
	ok, err := l.rdb.SetNX(ctx, l.key, l.value, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errBusy
	}
	return nil
}

var unlock = redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`)

func (l *redisLatch) Unlock(ctx context.Context) error {
	return unlock.Run(ctx, l.rdb, []string{l.key}, l.value).Err()
}

type redisMarks struct{ rdb *redis.Client }

func (m *redisMarks) Seen(ctx context.Context, id string) error {
	return m.rdb.SetNX(ctx, "seen:"+id, "1", time.Minute).Err()
}
