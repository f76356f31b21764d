// Package reconciles works while a manager leads.
package reconciles

import (
	"context"
	"database/sql"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Stall reconciles.
type Stall struct{ db *sql.DB }

// Reconcile writes to a database, which knows nothing of the lease.
//
//fencelint:lock correctness
func (s *Stall) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	_, err := s.db.ExecContext(ctx, open) // want "unfencedwrite"
	return reconcile.Result{}, err
}

var _ reconcile.Reconciler = (*Stall)(nil)
