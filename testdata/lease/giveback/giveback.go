// Package giveback claims rows by directive and gives them back by functions of another
// package, which let the lease end now: whether that was refused needs nobody to know.
package giveback

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/lease/giveback/rows"
)

var errStale = errors.New("stale owner")

func take(ctx context.Context, db *sql.DB, name string) (int64, error) {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `UPDATE turns SET epoch = epoch + 1, until = now() + interval '10 s' WHERE name = $1 AND (until IS NULL OR until <= now()) RETURNING epoch`, name).Scan(&epoch)
	return epoch, err
}

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	r, err := db.ExecContext(ctx, `UPDATE intents SET state = 'done', last_epoch = $1 WHERE id = 7 AND last_epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodDeferred gives back in four ways.
func GoodDeferred(ctx context.Context, db *sql.DB) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	defer rows.End(ctx, db, "runner", epoch)
	return write(ctx, db, epoch)
}

// GoodWays chooses how.
func GoodWays(ctx context.Context, db *sql.DB, way int) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	defer func() {
		switch way {
		case 0:
			_ = rows.Forget(ctx, db, "runner", epoch)
		case 1:
			_ = rows.Zero(ctx, db, "runner", epoch)
		default:
			_ = rows.Clear(ctx, db, "runner", epoch)
		}
	}()
	return write(ctx, db, epoch)
}

// GoodHere does it without a function.
func GoodHere(ctx context.Context, db *sql.DB) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	err = write(ctx, db, epoch)
	_, _ = db.ExecContext(ctx, `UPDATE turns SET until = now() - interval '1 s' WHERE name = $1 AND epoch = $2`, "runner", epoch)
	return err
}

// BadAny ends the lease of the next owner, too.
func BadAny(ctx context.Context, db *sql.DB) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	defer rows.Any(ctx, db, "runner") // want "unfencedwrite"
	return write(ctx, db, epoch)
}

// BadNote loses what it made, and does not know.
func BadNote(ctx context.Context, db *sql.DB) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	if err := write(ctx, db, epoch); err != nil {
		return err
	}
	return rows.Note(ctx, db, "runner", epoch, "bread") // want "rejectionignored"
}

// BadLater writes when it has given back.
func BadLater(ctx context.Context, db *sql.DB) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `UPDATE leases SET epoch = epoch + 1, until = now() + interval '10 s' WHERE name = 'runner' AND until <= now() RETURNING epoch`).Scan(&epoch)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `UPDATE leases SET until = now() WHERE name = 'runner' AND epoch = $1`, epoch); err != nil {
		return err
	}
	return write(ctx, db, epoch) // want "writeafterrelease"
}

// BadLonger sets an end that is to come, and hears no refusal.
func BadLonger(ctx context.Context, db *sql.DB) error {
	epoch, err := take(ctx, db, "runner")
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `UPDATE turns SET until = now() + interval '10 s' WHERE name = $1 AND epoch = $2`, "runner", epoch); err != nil { // want "rejectionignored|renewalerror"
		return err
	}
	return write(ctx, db, epoch)
}
