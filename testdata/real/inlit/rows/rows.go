// Package rows locks and writes in function literals that another package runs.
package rows

import (
	"context"
	"database/sql"

	"fencelint.example/real/inlit/trace"
)

// Log writes under the lock that its transaction takes.
func Log(ctx context.Context, tx *sql.Tx, text string) error {
	_, err := trace.With(ctx, "log", trace.NoResult(func(ctx context.Context) error {
		//fencelint:lock efficiency
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7)`); err != nil { // lock
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO logs (text) VALUES ($1)`, text) // session
		return err
	}))
	return err
}

// Beside writes past the transaction.
func Beside(ctx context.Context, tx *sql.Tx, db *sql.DB, text string) error {
	_, err := trace.With(ctx, "beside", trace.NoResult(func(ctx context.Context) error {
		//fencelint:lock efficiency
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7)`); err != nil { // lock
			return err
		}
		_, err := db.ExecContext(ctx, `INSERT INTO logs (text) VALUES ($1)`, text) // none
		return err
	}))
	return err
}
