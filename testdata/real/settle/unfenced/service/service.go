// Package service settles invoices and does not know where they are kept.
package service

import (
	"context"
	"fmt"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store keeps invoices.
type Store interface {
	// Invoice says how many cents are still owed.
	Invoice(ctx context.Context, id int64) (owed int64, err error)
	// Settle records what was paid.
	Settle(ctx context.Context, id, cents int64) error
}

// Settler settles one invoice at a time.
type Settler struct {
	session *concurrency.Session
	store   Store
}

// New returns a settler whose locks live as long as session.
func New(session *concurrency.Session, store Store) *Settler {
	return &Settler{session: session, store: store}
}

// Settle pays an invoice under the lock of that invoice.
func (s *Settler) Settle(ctx context.Context, id, cents int64) error {
	mu := concurrency.NewMutex(s.session, fmt.Sprintf("/locks/invoice/%d", id))
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	owed, err := s.store.Invoice(ctx, id)
	if err != nil {
		return err
	}
	if cents > owed {
		return fmt.Errorf("invoice %d: %d cents paid, %d owed", id, cents, owed)
	}
	// A pause here that is longer than the lease is all it takes.
	return s.store.Settle(ctx, id, cents)
}
