// Package session has a lock in its records, and one that does nothing where there is none.
package session

import (
	"context"
	"errors"
	"time"
)

// ErrTaken says that somebody else has the lock.
var ErrTaken = errors.New("taken")

// Lock guards one session.
type Lock interface {
	Obtain(ctx context.Context, ttl time.Duration) error
	Release(ctx context.Context) error
}

// None is the lock of a session that nobody else has.
type None struct{}

// Obtain does nothing.
func (*None) Obtain(context.Context, time.Duration) error { return nil }

// Release does nothing.
func (*None) Release(context.Context) error { return nil }

// Session is what a cookie stands for.
type Session struct {
	Lock  Lock
	ID    int64
	Token string
}

// Obtain takes the session's lock.
func (s *Session) Obtain(ctx context.Context, ttl time.Duration) error {
	if s.Lock == nil {
		s.Lock = &None{}
	}
	return s.Lock.Obtain(ctx, ttl)
}

// Release gives it back.
func (s *Session) Release(ctx context.Context) error {
	if s.Lock == nil {
		s.Lock = &None{}
	}
	return s.Lock.Release(ctx)
}
