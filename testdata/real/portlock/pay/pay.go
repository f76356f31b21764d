// Package pay ships orders under a lock, all of it through interfaces.
package pay

import (
	"context"

	"fencelint.example/real/portlock/port"
)

type Service struct {
	locks  port.Locker
	orders port.Orders
}

func New(l port.Locker, o port.Orders) *Service { return &Service{l, o} }

func (s *Service) Ship(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	l, err := s.locks.Acquire(ctx, "/parcels")
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	return s.orders.Ship(ctx, id, l.Token())
}

type Within struct {
	locks  port.Runner
	orders port.Orders
}

func NewWithin(l port.Runner, o port.Orders) *Within { return &Within{l, o} }

func (s *Within) Ship(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	return s.locks.WithLock(ctx, "/parcels", func(ctx context.Context, token int64) error {
		return s.orders.Ship(ctx, id, token)
	})
}
