// Package port declares what a service needs: a lock, and a place for its orders.
package port

import "context"

type Lease interface {
	Token() int64
	Release(ctx context.Context) error
}

type Locker interface {
	Acquire(ctx context.Context, key string) (Lease, error)
}

// Runner runs a function while it holds the lock, and tells it the token.
type Runner interface {
	WithLock(ctx context.Context, key string, fn func(ctx context.Context, token int64) error) error
}

type Orders interface {
	Ship(ctx context.Context, id, token int64) error
}
