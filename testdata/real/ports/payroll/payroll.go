// Package payroll pays salaries once a month. It knows its lock and its ledger as
// interfaces alone.
package payroll

import (
	"context"
	"errors"

	"fencelint.example/real/ports/port"
)

// Payroll pays.
type Payroll struct {
	//fencelint:lock correctness
	leases port.Leaser
	ledger port.Ledger
}

// New returns a payroll.
func New(leases port.Leaser, ledger port.Ledger) *Payroll {
	return &Payroll{leases, ledger}
}

// Run pays one month.
func (p *Payroll) Run(ctx context.Context, month string, cents int64) (err error) {
	lease, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lease.Release(context.WithoutCancel(ctx))) }()
	return p.ledger.Pay(ctx, month, cents, lease.Epoch())
}

// take hands the lease to its caller.
func (p *Payroll) take(ctx context.Context) (port.Lease, error) {
	return p.leases.Acquire(ctx, "payroll")
}
