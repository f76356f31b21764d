// Package lock has a wrapper that other packages use: the question stands at the wrapper, once.
package lock

import (
	"context"
	"database/sql"
	"hash/fnv"
)

// Tx is a transaction of the house.
type Tx struct{ tx *sql.Tx }

// Begin begins one.
func Begin(ctx context.Context, db *sql.DB) (*Tx, error) {
	tx, err := db.BeginTx(ctx, nil)
	return &Tx{tx}, err
}

// Scalar reads one value.
func (t *Tx) Scalar(ctx context.Context, to any, query string, args ...any) error {
	return t.tx.QueryRowContext(ctx, query, args...).Scan(to)
}

// Execute changes rows.
func (t *Tx) Execute(ctx context.Context, query string, args ...any) error {
	_, err := t.tx.ExecContext(ctx, query, args...)
	return err
}

// Commit ends it.
func (t *Tx) Commit() error { return t.tx.Commit() }

// Rollback gives it up.
func (t *Tx) Rollback() { _ = t.tx.Rollback() }

// Try takes the lock of a name until the transaction ends.
func Try(ctx context.Context, t *Tx, name string) (got bool) {
	h := fnv.New32a()
	h.Write([]byte(name))
	if err := t.Scalar(ctx, &got, "SELECT pg_try_advisory_xact_lock($1)", h.Sum32()); err != nil { // want "lockclass"
		return false
	}
	return got
}

// Take has a class of its own, which is that of all uses.
func Take(ctx context.Context, t *Tx, name string) (got bool) {
	h := fnv.New32a()
	h.Write([]byte(name))
	//fencelint:lock correctness
	if err := t.Scalar(ctx, &got, "SELECT pg_try_advisory_xact_lock($1)", h.Sum32()); err != nil {
		return false
	}
	return got
}
