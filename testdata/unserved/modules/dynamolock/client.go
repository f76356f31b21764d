// Package dynamolock has the declarations that fixtures use.
package dynamolock

import (
	"context"
	"time"
)

// Client acquires locks.
type Client struct{ table string }

// Lock is held.
type Lock struct{ until time.Time }

// AcquireLockOption changes what acquiring means.
type AcquireLockOption func(*Client)

// ReleaseLockOption changes what releasing means.
type ReleaseLockOption func(*Client)

// SendHeartbeatOption changes what a heartbeat does.
type SendHeartbeatOption func(*Client)

// AcquireLock waits for a lock.
func (c *Client) AcquireLock(ctx context.Context, key string, opts ...AcquireLockOption) (*Lock, error) {
	return &Lock{}, ctx.Err()
}

// ReleaseLock gives it back.
func (c *Client) ReleaseLock(ctx context.Context, l *Lock, opts ...ReleaseLockOption) (bool, error) {
	return c.table != "", ctx.Err()
}

// SendHeartbeat prolongs it.
func (c *Client) SendHeartbeat(ctx context.Context, l *Lock, opts ...SendHeartbeatOption) error {
	return ctx.Err()
}

// Close gives it back.
func (l *Lock) Close(ctx context.Context) error { return ctx.Err() }

// IsExpired asks the own clock.
func (l *Lock) IsExpired() bool { return time.Now().After(l.until) }

// WithSessionMonitor has a function called before the lease ends.
func WithSessionMonitor(safe time.Duration, callback func()) AcquireLockOption {
	return func(*Client) { _ = callback }
}

// FailIfLocked tries once.
func FailIfLocked() AcquireLockOption { return func(*Client) {} }
