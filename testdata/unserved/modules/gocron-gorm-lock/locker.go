// Package gormlock has the declarations that fixtures use.
package gormlock

import "context"

// Lock is held.
type Lock interface {
	Unlock(ctx context.Context) error
}

// GormLocker locks by rows.
type GormLocker struct{ worker string }

type row struct{ key string }

func (*row) Unlock(ctx context.Context) error { return ctx.Err() }

// Lock inserts the row of a job.
func (g *GormLocker) Lock(ctx context.Context, key string) (Lock, error) {
	return &row{g.worker + key}, ctx.Err()
}
