package beside

import (
	"context"
	"database/sql"
	"errors"
)

// take renews what is there or makes the first one.
func take(ctx context.Context, db *sql.DB, me string) (lease, bool, error) {
	//fencelint:lock correctness
	row := db.QueryRowContext(ctx, `UPDATE leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '10 s' WHERE name = 'runner' AND expires_at <= now() RETURNING epoch`, me)
	var epoch int64
	if err := row.Scan(&epoch); err == nil {
		return lease{me, epoch}, true, nil
	} else if !errors.Is(err, sql.ErrNoRows) {
		return lease{}, false, err
	}
	//fencelint:lock correctness
	row = db.QueryRowContext(ctx, `INSERT INTO leases (name, holder, epoch, expires_at) VALUES ('runner', $1, 1, now() + interval '10 s') ON CONFLICT DO NOTHING RETURNING epoch`, me)
	if err := row.Scan(&epoch); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return lease{}, false, nil
		}
		return lease{}, false, err
	}
	return lease{me, epoch}, true, nil
}

// TwoSteps asks whether it has got the lease.
func TwoSteps(ctx context.Context, db *sql.DB, me string) error {
	l, ok, err := take(ctx, db, me)
	if err != nil || !ok {
		return err
	}
	return written(db.ExecContext(ctx, besideLease, "done", 7, l.holder, l.epoch)) // want "crosstablefence"
}

// Fenced carries what it was told into a statement that compares it with the row written.
func Fenced(ctx context.Context, db *sql.DB, me string) error {
	l, ok, err := take(ctx, db, me)
	if err != nil || !ok {
		return err
	}
	return written(db.ExecContext(ctx, `UPDATE intents SET state = $1, last_epoch = $2 WHERE id = $3 AND last_epoch < $2`, "done", l.epoch, 7))
}

// Unlooked goes on when it was not given the lease.
func Unlooked(ctx context.Context, db *sql.DB, me string) error {
	l, _, err := take(ctx, db, me) // want "acquireignored"
	if err != nil {
		return err
	}
	return written(db.ExecContext(ctx, `UPDATE intents SET state = $1, last_epoch = $2 WHERE id = $3 AND last_epoch < $2`, "done", l.epoch, 7)) // want "zerotoken"
}

// Logged says that it was not given the lease, and goes on.
func Logged(ctx context.Context, db *sql.DB, me string) error {
	l, ok, err := take(ctx, db, me) // want "acquireignored"
	if err != nil {
		return err
	}
	if !ok {
		println("held by another")
	}
	return written(db.ExecContext(ctx, `UPDATE intents SET state = $1, last_epoch = $2 WHERE id = $3 AND last_epoch < $2`, "done", l.epoch, 7)) // want "zerotoken"
}
