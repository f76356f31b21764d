// Package moira has the declarations that fixtures use.
package moira

// Lock is a house's own interface of locks.
type Lock interface {
	Acquire(stop <-chan struct{}) (lost <-chan struct{}, err error)
	Release()
}
