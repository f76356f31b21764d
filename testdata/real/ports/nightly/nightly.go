// Package nightly is like payroll; its class stands at the call.
package nightly

import (
	"context"
	"errors"

	"fencelint.example/real/ports/port"
)

// Run pays one month.
func Run(ctx context.Context, leases port.Leaser, ledger port.Ledger, month string, cents int64) (err error) {
	//fencelint:lock correctness
	lease, err := leases.Acquire(ctx, "nightly")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lease.Release(context.WithoutCancel(ctx))) }()
	return ledger.Pay(ctx, month, cents, lease.Epoch())
}
