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

type Careless struct {
	locks  port.Locker
	orders port.Orders
}

func NewCareless(l port.Locker, o port.Orders) *Careless { return &Careless{l, o} }

// Ship brings the number of another lock, which may be greater than that of a newer owner.
func (s *Careless) Ship(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	first, err := s.locks.Acquire(ctx, "/stock")
	if err != nil {
		return err
	}
	token := first.Token()
	first.Release(ctx)
	//fencelint:lock correctness
	l, err := s.locks.Acquire(ctx, "/parcels")
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	return s.orders.Ship(ctx, id, token)
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
