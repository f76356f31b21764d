// Package res carries values.
package res

// Result is a value or an error.
type Result[T any] struct {
	val T
	err error
}

// Ok is a value.
func Ok[T any](v T) Result[T] { return Result[T]{val: v} }

// Err is an error.
func Err[T any](err error) Result[T] { return Result[T]{err: err} }

// Of is both.
func Of[T any](v T, err error) Result[T] { return Result[T]{val: v, err: err} }

// Unwrap gives both.
func (r Result[T]) Unwrap() (T, error) { return r.val, r.err }

// Must panics.
func (r Result[T]) Must() T {
	if r.err != nil {
		panic(r.err)
	}
	return r.val
}

// OrElse gives another.
func (r Result[T]) OrElse(v T) T {
	if r.err != nil {
		return v
	}
	return r.val
}

// IsOk tells.
func (r Result[T]) IsOk() bool { return r.err == nil }

// Error tells.
func (r Result[T]) Error() error { return r.err }
