package pay

import (
	"context"

	"fencelint.example/real/portlock/port"
)

type Clearing struct{ depot port.Depot }

func NewClearing(d port.Depot) *Clearing { return &Clearing{d} }

func (c *Clearing) Clear(ctx context.Context, id int64) error {
	if err := c.depot.AcquireLease(ctx, "/depot"); err != nil {
		return err
	}
	defer c.depot.ReleaseLease(ctx, "/depot")
	return c.depot.DeleteParcel(ctx, id)
}

type Billing struct {
	//fencelint:lock correctness
	locks port.Locker
	bills port.Bills
}

func NewBilling(l port.Locker, b port.Bills) *Billing { return &Billing{l, b} }

func (s *Billing) Close(ctx context.Context, id int64) error {
	l, err := s.locks.Acquire(ctx, "/bills")
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	return s.bills.CloseBill(ctx, id, l.Token())
}
