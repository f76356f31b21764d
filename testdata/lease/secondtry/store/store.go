// Package store runs statements.
package store

import (
	"context"
	"database/sql"
)

// Exec runs one statement in a transaction.
func Exec(ctx context.Context, db *sql.DB, query string, args ...any) (sql.Result, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	res, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return res, tx.Commit()
}
