// Package redislock has the declarations that fixtures use, with those that were announced
// for the version after v0.10.0.
package redislock

import (
	"context"
	"time"
)

// Client obtains locks.
type Client struct{ prefix string }

// Lock is held.
type Lock struct{ fence int64 }

// RetryStrategy tells how long to wait.
type RetryStrategy interface{ NextBackoff() time.Duration }

// Options change what obtaining means.
type Options struct {
	RetryStrategy   RetryStrategy
	Metadata, Token string
	// FenceKey is the key of a counter that the acquiring script raises.
	FenceKey string
}

// Obtain tries to acquire a lock.
func (c *Client) Obtain(ctx context.Context, key string, ttl time.Duration, opt *Options) (*Lock, error) {
	return &Lock{}, ctx.Err()
}

// Release gives it back.
func (l *Lock) Release(ctx context.Context) error { return ctx.Err() }

// Token is the random value.
func (l *Lock) Token() string { return "" }

// FenceToken is the number that was drawn with the grant, 0 without FenceKey.
func (l *Lock) FenceToken() int64 { return l.fence }
