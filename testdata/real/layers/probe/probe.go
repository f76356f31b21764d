// Package probe asks whether a table can be locked, and locks one.
//
//fencelint:lock efficiency
package probe

import (
	"context"
	"database/sql"
	"errors"
)

// Lockable asks whether nobody holds the table, in a transaction that it rolls back.
func Lockable(ctx context.Context, conn *sql.Conn) error {
	err := func() error {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if _, err = tx.ExecContext(ctx, `SET LOCAL lock_timeout = '3s'`); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `LOCK TABLE crates IN SHARE UPDATE EXCLUSIVE MODE`)
		return err
	}()
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("the table is locked")
	}
	return err
}

// Free asks the same of an advisory lock.
func Free(ctx context.Context, db *sql.DB) (bool, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var free bool
	err = tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock(7)`).Scan(&free)
	return free, err
}

// Move works under the lock of the table.
func Move(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `LOCK TABLE crates IN ACCESS EXCLUSIVE MODE`); err != nil { // taken
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO crates SELECT * FROM pallets`); err != nil {
		return err
	}
	return tx.Commit()
}

// locked takes the lock for whoever began the transaction.
func locked(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `LOCK TABLE crates IN ACCESS EXCLUSIVE MODE`) // taken
	return err
}

// Clear works under the lock that it has another function take.
func Clear(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := locked(ctx, tx); err != nil { // taken
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM crates`); err != nil {
		return err
	}
	return tx.Commit()
}
