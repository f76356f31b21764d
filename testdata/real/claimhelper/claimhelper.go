// Package claimhelper claims rows in a function of its own; that the claim is a lock is said where it is called.
package claimhelper

import (
	"context"
	"database/sql"
	"errors"
)

var errLost = errors.New("it was taken over")

func claim(ctx context.Context, db *sql.DB, id int64) (n int64, err error) {
	err = db.QueryRowContext(ctx, `UPDATE parcels SET epoch = epoch + 1, busy = true WHERE id = $1 AND NOT busy RETURNING epoch`, id).Scan(&n)
	return n, err
}

// Label writes under its claim.
func Label(ctx context.Context, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	n, err := claim(ctx, db, id)
	if err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE parcels SET label = 'x' WHERE id = $1 AND epoch = $2`, id, n)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errLost
	}
	return nil
}

// Relabel does, too.
func Relabel(ctx context.Context, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	n, err := claim(ctx, db, id)
	if err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE parcels SET label = 'y' WHERE id = $1 AND epoch = $2`, id, n)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errLost
	}
	return nil
}

// Wipe claims nothing.
func Wipe(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE parcels SET label = '' WHERE id = $1`, id) // want "bypasswrite"
	return err
}
