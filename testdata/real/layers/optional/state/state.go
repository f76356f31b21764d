// Package state keeps a state with a client that may be able to lock it.
package state

import (
	"context"
	"sync"
)

// Client reads and writes a state.
type Client interface {
	Put(ctx context.Context, data []byte) error
}

// Locker is a client that can lock.
type Locker interface {
	Client
	Lock(ctx context.Context, who string) (string, error)
	Unlock(ctx context.Context, id string) error
}

// State is locked by its client, if that can.
type State struct {
	mu     sync.Mutex
	Client Client
	data   []byte
	off    bool
}

// New makes a state.
func New(c Client) *State { return &State{Client: c} }

// Off makes Lock and Unlock do nothing.
func (s *State) Off() { s.off = true }

// Lock locks the state.
func (s *State) Lock(ctx context.Context, who string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return "", nil
	}
	if c, ok := s.Client.(Locker); ok {
		return c.Lock(ctx, who)
	}
	return "", nil
}

// Unlock unlocks it.
func (s *State) Unlock(ctx context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return nil
	}
	if c, ok := s.Client.(Locker); ok {
		return c.Unlock(ctx, id)
	}
	return nil
}

// Set writes the state.
func (s *State) Set(ctx context.Context, data []byte) error {
	s.data = data
	return s.Client.Put(ctx, data)
}
