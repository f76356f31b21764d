// Package exec counts rows.
package exec

import (
	"context"
	"database/sql"
)

// Rows runs a statement and says how many rows it changed.
func Rows(ctx context.Context, db *sql.DB, text string, args ...any) (int64, error) {
	res, err := db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
