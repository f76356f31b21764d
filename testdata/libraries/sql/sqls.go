// Package sqls takes the locks that SQL servers have.
package sqls

import (
	"context"
	"database/sql"
	"errors"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

var errTaken = errors.New("taken")

// Pinned writes on the connection that holds the lock.
func Pinned(ctx context.Context, conn *sql.Conn) error {
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(1)`); err != nil {
		return err
	}
	defer conn.ExecContext(ctx, `SELECT pg_advisory_unlock(1)`)
	_, err := conn.ExecContext(ctx, open)
	return err
}

// Pool gets the lock on a connection that nobody knows.
func Pool(ctx context.Context, db *sql.DB) error {
	var got sql.NullInt64
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, `SELECT GET_LOCK('stall', 5)`).Scan(&got); err != nil { // want "poollock"
		return err
	}
	if got.Int64 != 1 {
		return errTaken
	}
	defer db.ExecContext(ctx, `DO RELEASE_LOCK('stall')`)
	_, err := db.ExecContext(ctx, open)
	return err
}

// MySQL does the same on a connection of its own.
func MySQL(ctx context.Context, conn *sql.Conn) error {
	var got sql.NullInt64
	//fencelint:lock correctness
	if err := conn.QueryRowContext(ctx, `SELECT GET_LOCK('barn', 5)`).Scan(&got); err != nil {
		return err
	}
	if got.Int64 != 1 {
		return errTaken
	}
	defer conn.ExecContext(ctx, `DO RELEASE_LOCK('barn')`)
	_, err := conn.ExecContext(ctx, open)
	return err
}

// Unscanned does not look at the answer.
func Unscanned(ctx context.Context, conn *sql.Conn) error {
	var got sql.NullInt64
	//fencelint:lock correctness
	if err := conn.QueryRowContext(ctx, `SELECT GET_LOCK('shed', 5)`).Scan(&got); err != nil { // want "acquireignored"
		return err
	}
	defer conn.ExecContext(ctx, `DO RELEASE_LOCK('shed')`)
	_, err := conn.ExecContext(ctx, open)
	return err
}

// Outside takes a lock of a transaction where there is none.
func Outside(ctx context.Context, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := db.ExecContext(ctx, `SELECT pg_advisory_xact_lock(2)`); err != nil { // want "txlock"
		return err
	}
	_, err := db.ExecContext(ctx, open)
	return err
}

// Row holds a row until the commit.
func Row(ctx context.Context, tx *sql.Tx) error {
	var id int64
	//fencelint:lock correctness
	if err := tx.QueryRowContext(ctx, `SELECT id FROM stalls WHERE id = 1 FOR UPDATE`).Scan(&id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, open)
	return err
}

// Sequence presents a number that anybody may draw at any time.
func Sequence(ctx context.Context, conn *sql.Conn, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(3)`); err != nil {
		return err
	}
	defer conn.ExecContext(ctx, `SELECT pg_advisory_unlock(3)`)
	var n int64
	if err := db.QueryRowContext(ctx, `SELECT nextval('fences')`).Scan(&n); err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE mills SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, n) // want "unboundcounter"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}
