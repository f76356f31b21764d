// Package controllerruntime leads while a manager does.
package controllerruntime

import (
	"context"
	"database/sql"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Worker is started when the manager leads.
type Worker struct{ db *sql.DB }

// Start drops the context that ends with the lease.
//
//fencelint:lock correctness
func (w *Worker) Start(context.Context) error {
	_, err := w.db.Exec(open) // want "unfencedwrite"
	return err
}

// Elected waits for it.
func Elected(ctx context.Context, m manager.Manager, db *sql.DB) error {
	//fencelint:lock correctness
	<-m.Elected()
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Register makes the worker one.
func Register(m manager.Manager, db *sql.DB) error { return m.Add(&Worker{db}) }

// Everywhere needs no leader.
type Everywhere struct{ db *sql.DB }

// NeedLeaderElection says so.
func (*Everywhere) NeedLeaderElection() bool { return false }

// Start runs on each replica.
func (e *Everywhere) Start(ctx context.Context) error {
	_, err := e.db.ExecContext(ctx, `UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}

var _ manager.Runnable = (*Everywhere)(nil)
