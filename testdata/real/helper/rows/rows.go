// Package rows has helpers around statements.
package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

// Touch takes every write.
func Touch(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE gongs_plain SET touched = now() WHERE id = $1`, id)
	return err
}

// Move moves a row of table, which is a name that the program has written down.
func Move(ctx context.Context, db *sql.DB, table string, id, fence int64) error {
	return run(ctx, db, fmt.Sprintf(`UPDATE %s SET moved = now(), fence = $2 WHERE id = $1 AND fence < $2`, table), id, fence)
}

func run(ctx context.Context, db *sql.DB, text string, args ...any) error {
	return One(db.ExecContext(ctx, text, args...))
}

// One fails unless exactly one row was changed.
func One(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n != 1 {
		return fmt.Errorf("%d rows: %w", n, ErrStale)
	}
	return nil
}
