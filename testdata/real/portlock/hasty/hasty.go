// Package hasty mixes the numbers of two locks.
package hasty

import (
	"context"

	"fencelint.example/real/portlock/port"
)

// Careless ships.
type Careless struct {
	locks  port.Locker
	orders port.Orders
}

func New(l port.Locker, o port.Orders) *Careless { return &Careless{l, o} }

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
