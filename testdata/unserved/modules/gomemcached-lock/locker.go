// Package lock has the declarations that fixtures use.
package lock

import "time"

// Locker is a lock.
type Locker struct{ name string }

// New makes one.
func New(name string) *Locker { return &Locker{name} }

// Lock tries to acquire it.
func (l *Locker) Lock(ttl time.Duration) error { return nil }

// Release looks whose it is, and then deletes it.
func (l *Locker) Release() error { return nil }
