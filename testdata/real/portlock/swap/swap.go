// Package swap has a field that starts with one type and is set through its address.
package swap

import (
	"context"
	"database/sql"

	"fencelint.example/real/portlock/port"
	"fencelint.example/real/portlock/shop"
)

type Service struct {
	locks  port.Locker
	orders port.Orders
}

func New(l port.Locker, db *sql.DB) *Service { return &Service{locks: l, orders: shop.NewFenced(db)} }

func (s *Service) Degrade(db *sql.DB) { replace(&s.orders, db) }

func replace(o *port.Orders, db *sql.DB) { *o = shop.NewPlain(db) }

func (s *Service) Ship(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	l, err := s.locks.Acquire(ctx, "/parcels")
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	return s.orders.Ship(ctx, id, l.Token()) // want "unfencedwrite"
}
