// Package begunagain deletes its lease rows, so that their counters begin again.
package begunagain

import (
	"context"
	"database/sql"
	"errors"
)

var errStale = errors.New("stale owner")

func take(ctx context.Context, db *sql.DB, me string) (int64, bool, error) {
	var epoch int64
	//fencelint:lock correctness
	row := db.QueryRowContext(ctx, `UPDATE leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '10 s' WHERE name = 'runner' AND expires_at <= now() RETURNING epoch`, me)
	if err := row.Scan(&epoch); err == nil {
		return epoch, true, nil
	} else if !errors.Is(err, sql.ErrNoRows) {
		return 0, false, err
	}
	//fencelint:lock correctness
	row = db.QueryRowContext(ctx, `INSERT INTO leases (name, holder, epoch, expires_at) VALUES ('runner', $1, 1, now() + interval '10 s') ON CONFLICT DO NOTHING RETURNING epoch`, me)
	if err := row.Scan(&epoch); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return 0, false, nil
		}
		return 0, false, err
	}
	return epoch, true, nil
}

// Clean removes leases.
func Clean(ctx context.Context, db *sql.DB) error {
	//fencelint:accept bypasswrite reason="an operator does so"
	_, err := db.ExecContext(ctx, `DELETE FROM leases WHERE name = 'runner'`)
	return err
}

// Write carries a number that may come again.
func Write(ctx context.Context, db *sql.DB, me string) error {
	epoch, ok, err := take(ctx, db, me)
	if err != nil || !ok {
		return err
	}
	r, err := db.ExecContext(ctx, `UPDATE intents SET state = $1, last_epoch = $2 WHERE id = $3 AND last_epoch < $2`, "done", epoch, 7) // want "volatiletoken"
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}
