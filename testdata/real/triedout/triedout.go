// Package triedout has wrappers that only its own tests use here: who else does is asked
// for the class no less.
package triedout

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Seat is a lock with a session of its own.
type Seat struct {
	wait time.Duration
	m    *concurrency.Mutex
	s    *concurrency.Session
}

// NewSeat makes one.
func NewSeat(cli *clientv3.Client, key string, wait time.Duration) (*Seat, error) {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return nil, err
	}
	return &Seat{wait: wait, m: concurrency.NewMutex(s, key), s: s}, nil
}

// Take waits for the seat.
func (s *Seat) Take(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, s.wait)
	defer stop()
	return s.m.Lock(ctx) // want "lockclass"
}

// Leave gives it back.
func (s *Seat) Leave(ctx context.Context) error {
	defer s.s.Close()
	return s.m.Unlock(ctx)
}

// Stool is a lock that says what it is for.
//
//fencelint:lock efficiency reason="who sits twice is only in the way"
type Stool struct{ m *concurrency.Mutex }

// Take waits for the stool.
func (s *Stool) Take(ctx context.Context) error { return s.m.Lock(ctx) }

// Leave gives it back.
func (s *Stool) Leave(ctx context.Context) error { return s.m.Unlock(ctx) }

// Throne is a lock that two must not hold.
//
//fencelint:lock correctness
type Throne struct{ m *concurrency.Mutex }

// Take waits for the throne.
func (t *Throne) Take(ctx context.Context) error { return t.m.Lock(ctx) }

// Leave gives it back.
func (t *Throne) Leave(ctx context.Context) error { return t.m.Unlock(ctx) }

func usurp(ctx context.Context, t *Throne, reign func()) {
	_ = t.Take(ctx) // want "acquireignored"
	defer t.Leave(ctx)
	reign()
}
