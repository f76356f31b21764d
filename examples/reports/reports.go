// Package reports holds what the writers of reports share: the tables.
//
//fencelint:resource name=report_result fence=last_fence
package reports

import (
	"context"
	"database/sql"
	_ "embed"
)

//go:embed schema.sql
var schema string

// Create makes the tables, and the reports with these numbers, empty.
//
//fencelint:admin reason="runs before there is any owner"
func Create(ctx context.Context, db *sql.DB, ids ...int64) error {
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := db.ExecContext(ctx, `INSERT INTO report_result (id) VALUES ($1)`, id); err != nil {
			return err
		}
	}
	return nil
}

// Body returns what report id says.
func Body(ctx context.Context, db *sql.DB, id int64) (body string, err error) {
	err = db.QueryRowContext(ctx, `SELECT body FROM report_result WHERE id = $1`, id).Scan(&body)
	return body, err
}

// Reopen raises all fences to the present revision of the coordinator. Call it after a
// backup was restored and before any writer can connect: the backup may have brought
// back the fence of an owner that was shut out since.
//
//fencelint:admin reason="runs while no writer can connect"
func Reopen(ctx context.Context, db *sql.DB, revision int64) error {
	_, err := db.ExecContext(ctx, `UPDATE report_result SET last_fence = $1 WHERE last_fence < $1`, revision)
	return err
}
