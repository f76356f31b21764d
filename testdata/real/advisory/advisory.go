// Package advisory takes locks of the database in the transaction that writes.
package advisory

import (
	"context"
	"database/sql"
	"errors"
)

var errTaken = errors.New("somebody else has it")

const fold = `UPDATE maps SET folded = true WHERE id = 1`

// Kept holds the lock until the commit.
func Kept(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(11)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SAVEPOINT crease`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil {
		return err
	}
	return tx.Commit()
}

// Lost commits by a statement, and the lock is gone.
func Lost(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(12)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `COMMIT`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// Undone goes back to before the lock.
func Undone(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `SAVEPOINT crease`); err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(13)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT crease`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// Shared keeps out only those who want it for themselves.
func Shared(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock_shared(14)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// Asked reads whether it got the lock.
func Asked(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var got bool
	//fencelint:lock correctness
	if err := tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock(15)`).Scan(&got); err != nil {
		return err
	}
	if !got {
		return errTaken
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil {
		return err
	}
	return tx.Commit()
}

// Unasked throws the answer away.
func Unasked(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_try_advisory_xact_lock(16)`); err != nil { // want "acquireignored"
		return err
	}
	if _, err := tx.ExecContext(ctx, fold); err != nil {
		return err
	}
	return tx.Commit()
}
