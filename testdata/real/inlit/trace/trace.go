// Package trace runs what it is given, and takes the time.
package trace

import (
	"context"
	"log"
	"time"
)

// With runs a function and notes how long it took.
func With[T any](ctx context.Context, name string, do func(context.Context) (T, error)) (T, error) {
	begin := time.Now()
	out, err := do(ctx)
	log.Println(name, time.Since(begin))
	return out, err
}

// NoResult is for functions that give nothing back.
func NoResult(do func(context.Context) error) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) { return nil, do(ctx) }
}
