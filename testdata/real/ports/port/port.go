// Package port declares what the payroll needs, and knows nobody who provides it.
package port

import "context"

// Leaser hands out leases.
type Leaser interface {
	Acquire(ctx context.Context, name string) (Lease, error)
}

// Lease is held until it is released.
type Lease interface {
	Epoch() int64
	Release(ctx context.Context) error
}

// Ledger keeps what was paid.
type Ledger interface {
	Pay(ctx context.Context, month string, cents, epoch int64) error
}
