// Package recipes has the declarations that fixtures use.
package recipes

import "time"

// Client is a connection.
type Client interface{ Start() error }

// InterProcessMutex is a lock.
type InterProcessMutex struct{ path string }

// NewInterProcessMutex makes one.
func NewInterProcessMutex(client Client, path string) (*InterProcessMutex, error) {
	return &InterProcessMutex{path}, client.Start()
}

// Acquire waits for it.
func (m *InterProcessMutex) Acquire() (bool, error) { return m.path != "", nil }

// AcquireTimeout waits no longer than it is told.
func (m *InterProcessMutex) AcquireTimeout(time.Duration) (bool, error) { return m.path != "", nil }

// Release gives it back.
func (m *InterProcessMutex) Release() error { return nil }

// IsAcquiredInThisProcess tells what this process believes.
func (m *InterProcessMutex) IsAcquiredInThisProcess() bool { return m.path != "" }
