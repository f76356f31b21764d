// Package heldbyget takes session locks with a call that reads the answer by itself, and
// gives them back within a transaction on their connection.
package heldbyget

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

var errTaken = errors.New("somebody else has it")

// Looks looks at the answer.
func Looks(ctx context.Context, db *sqlx.DB, id int64) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var ok bool
	//fencelint:lock correctness
	if err := tx.GetContext(ctx, &ok, `SELECT pg_try_advisory_xact_lock($1)`, 8); err != nil {
		return err
	}
	if !ok {
		return errTaken
	}
	if _, err := tx.ExecContext(ctx, `UPDATE quays SET full = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Forgets looks whether there was one.
func Forgets(ctx context.Context, db *sqlx.DB, id int64) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var ok bool
	//fencelint:lock correctness
	if err := tx.GetContext(ctx, &ok, `SELECT pg_try_advisory_xact_lock($1)`, 8); err != nil { // want "acquireignored"
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE piers SET full = true WHERE id = $1`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// begin writes in a transaction on a connection.
func begin(ctx context.Context, c *sql.Conn, id int64) (*sql.Tx, error) {
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE docks SET full = true WHERE id = $1`, id); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// Then gives the lock back when it has committed.
func Then(ctx context.Context, c *sql.Conn, id int64) (err error) {
	//fencelint:lock correctness
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, 9); err != nil {
		return err
	}
	defer func() {
		_, uerr := c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, 9)
		err = errors.Join(err, uerr)
	}()
	tx, err := begin(ctx, c, id)
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Within gives it back in the transaction, before that commits.
func Within(ctx context.Context, c *sql.Conn, id int64) error {
	//fencelint:lock correctness
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, 9); err != nil {
		return err
	}
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `UPDATE berths SET full = true WHERE id = $1`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, 9); err != nil {
		return err
	}
	return tx.Commit() // want "writeafterrelease"
}
