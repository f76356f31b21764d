// Package released gives a lock back wrongly in one function, which several others call:
// the fault is said there, once.
package released

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Once works under the lock.
func Once(ctx context.Context, c *redis.Client, work func(context.Context) error) error {
	//fencelint:lock correctness
	ok, err := c.SetNX(ctx, "released:lock", "me", time.Minute).Result()
	if err != nil || !ok {
		return err
	}
	defer func() { free(ctx, c) }()
	return work(ctx)
}

func free(ctx context.Context, c *redis.Client) {
	c.Del(ctx, "released:lock") // want "unsaferelease"
}

func nothing(context.Context) error { return nil }

// Often is called by others, too.
func Often(ctx context.Context, c *redis.Client) error {
	for range 3 {
		if err := Once(ctx, c, nothing); err != nil {
			return err
		}
	}
	return nil
}

// Always starts it.
func Always(ctx context.Context, c *redis.Client) {
	go func() { _ = Often(ctx, c) }()
}
