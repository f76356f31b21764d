// Package gcslock has the declarations that fixtures use.
package gcslock

import (
	"context"
	"sync"
)

// ContextLocker is a lock.
type ContextLocker interface {
	sync.Locker
	ContextLock(context.Context) error
	ContextUnlock(context.Context) error
}

type locker struct {
	sync.Mutex
	bucket, object string
}

func (*locker) ContextLock(ctx context.Context) error   { return ctx.Err() }
func (*locker) ContextUnlock(ctx context.Context) error { return ctx.Err() }

// New makes one.
func New(ctx context.Context, bucket, object string) (ContextLocker, error) {
	return &locker{bucket: bucket, object: object}, ctx.Err()
}
