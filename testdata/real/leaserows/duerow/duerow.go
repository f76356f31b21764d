// Package duerow leases rows by the time at which they come up again.
package duerow

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrNone says that nothing is due.
var ErrNone = errors.New("nothing is due")

type runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func run(ctx context.Context, db runner, text string, args ...any) (int64, error) {
	res, err := db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Lease moves a row on and notes who works at it.
func Lease(ctx context.Context, db *sql.DB, id int64, owner string, again time.Time) error {
	n, err := run(ctx, db, `UPDATE parcels SET owner = $1, next_run_at = $2 WHERE id = $3 AND next_run_at < now()`, owner, again, id) // taken
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrNone
	}
	return nil
}

// LeaseText does so by a statement that is printed.
func LeaseText(ctx context.Context, db *sql.DB, id int64, owner string, wait time.Duration) error {
	text := fmt.Sprintf("UPDATE parcels SET next_retry_time = '%s', owner = '%s' WHERE id = %d AND next_retry_time <= '%s'",
		time.Now().Add(wait).Format(time.DateTime), owner, id, time.Now().Format(time.DateTime))
	n, err := run(ctx, db, text) // taken
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrNone
	}
	return nil
}

// Again moves a row on, whoever works at it: a time, and no lease.
func Again(ctx context.Context, db *sql.DB, id int64, again time.Time) error {
	_, err := run(ctx, db, `UPDATE parcels SET next_run_at = $1 WHERE id = $2 AND next_run_at < now()`, again, id)
	return err
}

// Assign gives a row to somebody at a time, whoever has it.
func Assign(ctx context.Context, db *sql.DB, id int64, owner string, at time.Time) error {
	_, err := run(ctx, db, `UPDATE parcels SET owner = $1, next_run_at = $2 WHERE id = $3`, owner, at, id)
	return err
}

// LeaseHere runs the statement itself.
func LeaseHere(ctx context.Context, db *sql.DB, id int64, owner string, again time.Time) error {
	res, err := db.ExecContext(ctx, `UPDATE parcels SET owner = $1, next_run_at = $2 WHERE id = $3 AND next_run_at < now()`, owner, again, id) // taken
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrNone, err)
	}
	return nil
}
