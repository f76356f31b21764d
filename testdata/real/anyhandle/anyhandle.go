// Package anyhandle takes locks through an interface that pools and transactions have.
package anyhandle

import (
	"context"
	"database/sql"
)

type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Handed is given something of which it is not known what it is: that the lock is gone at once
// is not said.
func Handed(ctx context.Context, q querier) error {
	//fencelint:lock correctness
	if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7)`); err != nil {
		return err
	}
	_, err := q.ExecContext(ctx, `UPDATE bins SET full = full + 1 WHERE id = 1`) // want "unprovedwrite"
	return err
}

// add takes the lock through what its callers give it.
func add(ctx context.Context, q querier) error {
	//fencelint:lock correctness
	if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock(8)`); err != nil {
		return err
	}
	_, err := q.ExecContext(ctx, `UPDATE bins SET full = full + 1 WHERE id = 2`)
	return err
}

// InTx gives it a transaction.
func InTx(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := add(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Pooled takes one through the pool, by way of the interface.
func Pooled(ctx context.Context, db *sql.DB) error {
	var q querier = db
	//fencelint:lock correctness
	if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock(9)`); err != nil { // want "txlock"
		return err
	}
	_, err := q.ExecContext(ctx, `UPDATE bins SET full = full + 1 WHERE id = 3`)
	return err
}
