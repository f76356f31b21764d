package begunagain

import (
	"context"
	"database/sql"
	"errors"
)

func record(ctx context.Context, db *sql.DB, epoch int64) error {
	r, err := db.ExecContext(ctx, `UPDATE intents SET state = 'done', last_epoch = $1 WHERE id = 7 AND last_epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodKept ends its lease by the time, and old ones of others are removed.
func GoodKept(ctx context.Context, db *sql.DB) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `INSERT INTO kept_leases (name, epoch, until) VALUES ('runner', 1, now() + interval '10 s') ON CONFLICT (name) DO UPDATE SET epoch = kept_leases.epoch + 1, until = now() + interval '10 s' WHERE kept_leases.until <= now() RETURNING epoch`).Scan(&epoch)
	if err != nil {
		return err
	}
	defer db.ExecContext(ctx, `UPDATE kept_leases SET until = now() WHERE name = 'runner' AND epoch = $1`, epoch)
	return record(ctx, db, epoch)
}

// Sweep removes what has been over for a month.
func Sweep(ctx context.Context, db *sql.DB) error {
	//fencelint:accept bypasswrite reason="nobody is paused for a month"
	_, err := db.ExecContext(ctx, `DELETE FROM kept_leases WHERE until < now() - interval '30 days'`)
	return err
}

// BadRemoved deletes the row with its counter, so that the next owner's number is 1 again.
func BadRemoved(ctx context.Context, db *sql.DB, me string) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `INSERT INTO gone_leases (name, holder, epoch, until) VALUES ('runner', $1, 1, now() + interval '10 s') ON CONFLICT (name) DO UPDATE SET holder = $1, epoch = gone_leases.epoch + 1, until = now() + interval '10 s' WHERE gone_leases.until <= now() RETURNING epoch`, me).Scan(&epoch)
	if err != nil {
		return err
	}
	defer db.ExecContext(ctx, `DELETE FROM gone_leases WHERE name = 'runner' AND holder = $1 AND epoch = $2`, me, epoch)
	return record(ctx, db, epoch) // want "volatiletoken"
}

// BadSwept loses its number to those who remove what has just expired.
func BadSwept(ctx context.Context, db *sql.DB) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `INSERT INTO swept_leases (name, epoch, until) VALUES ('runner', 1, now() + interval '10 s') ON CONFLICT (name) DO UPDATE SET epoch = swept_leases.epoch + 1, until = now() + interval '10 s' WHERE swept_leases.until <= now() RETURNING epoch`).Scan(&epoch)
	if err != nil {
		return err
	}
	return record(ctx, db, epoch) // want "volatiletoken"
}

// SweepNow removes what is over.
func SweepNow(ctx context.Context, db *sql.DB) error {
	//fencelint:accept bypasswrite reason="it is over"
	_, err := db.ExecContext(ctx, `DELETE FROM swept_leases WHERE until < now()`)
	return err
}

// BadNoted compares the number with that of the row, which may be the next owner's.
func BadNoted(ctx context.Context, db *sql.DB) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `INSERT INTO noted_leases (name, epoch, until) VALUES ('runner', 1, now() + interval '10 s') ON CONFLICT (name) DO UPDATE SET epoch = noted_leases.epoch + 1, until = now() + interval '10 s' WHERE noted_leases.until <= now() RETURNING epoch`).Scan(&epoch)
	if err != nil {
		return err
	}
	defer db.ExecContext(ctx, `DELETE FROM noted_leases WHERE name = 'runner' AND epoch = $1`, epoch)
	r, err := db.ExecContext(ctx, `UPDATE noted_leases SET note = 'works' WHERE name = 'runner' AND epoch = $1`, epoch) // want "identityreused"
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
