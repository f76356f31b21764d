// Package drawer keeps sums in a table.
package drawer

import (
	"context"
	"database/sql"
)

// Table is a drawer.
type Table struct{ DB *sql.DB }

// Put overwrites the sum of a day.
func (t Table) Put(ctx context.Context, day string, cents int64) error {
	_, err := t.DB.ExecContext(ctx, "UPDATE drawer SET cents = $2 WHERE day = $1", day, cents)
	return err
}
