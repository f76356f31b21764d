// Package ownnames keeps the epoch under a key that all owners share, and under one that
// each owner has for itself.
package ownnames

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

var raise = redis.NewScript(`
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`)

func heard(n int, err error) error {
	if err == nil && n == 0 {
		return errStale
	}
	return err
}

// Shared keeps it under the name of the bell.
func Shared(ctx context.Context, m *concurrency.Mutex, rdb *redis.Client, bell, tune string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return heard(raise.Run(ctx, rdb, []string{"bell:" + bell, "bell:" + bell + ":epoch"}, m.Header().Revision, tune).Int())
}

// Own keeps it under its own number.
func Own(ctx context.Context, m *concurrency.Mutex, rdb *redis.Client, bell, tune string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return heard(raise.Run(ctx, rdb, []string{"gong:" + bell, fmt.Sprintf("gong:%s:%d", bell, epoch)}, epoch, tune).Int()) // want "staleadmitted"
}
