// Package passedover locks a row and compares the epoch in it: that of the row it writes,
// and others.
package passedover

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// inTx runs do in a transaction, with the epoch of a fresh hold.
func inTx(ctx context.Context, s *concurrency.Session, db *sql.DB, name string, do func(tx *sql.Tx, epoch int64) error) error {
	mu := concurrency.NewMutex(s, name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx, mu.Header().Revision); err != nil {
		return err
	}
	return tx.Commit()
}

// Free takes the row only if it is free, and stops where it is not.
func Free(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return inTx(ctx, s, db, "/locks/free", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		err := tx.QueryRowContext(ctx, `SELECT epoch FROM kilns WHERE id = $1 FOR UPDATE SKIP LOCKED`, id).Scan(&stored)
		if errors.Is(err, sql.ErrNoRows) {
			return errStale
		}
		if err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE kilns SET lit = true, epoch = $1 WHERE id = $2`, epoch, id)
		return err
	})
}

// Busy goes on where somebody else has the row.
func Busy(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return inTx(ctx, s, db, "/locks/busy", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		err := tx.QueryRowContext(ctx, `SELECT epoch FROM ovens WHERE id = $1 FOR UPDATE SKIP LOCKED`, id).Scan(&stored)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE ovens SET lit = true, epoch = $1 WHERE id = $2`, epoch, id) // want "staleadmitted"
		return err
	})
}

// Neighbour compares at the row of another oven.
func Neighbour(ctx context.Context, s *concurrency.Session, db *sql.DB, id, next int64) error {
	return inTx(ctx, s, db, "/locks/neighbour", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM stoves WHERE id = $1 FOR UPDATE`, next).Scan(&stored); err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE stoves SET lit = true, epoch = $1 WHERE id = $2`, epoch, id) // want "staleadmitted"
		return err
	})
}

// Both stores it at the row that was compared, and at another one.
func Both(ctx context.Context, s *concurrency.Session, db *sql.DB, id, next int64) error {
	return inTx(ctx, s, db, "/locks/both", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM ranges WHERE id = $1 FOR UPDATE`, id).Scan(&stored); err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE ranges SET epoch = $1 WHERE id = $2`, epoch, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE ranges SET lit = true, epoch = $1 WHERE id = $2`, epoch, next)
		return err
	})
}

// OfIt locks the row that has the epoch, of two that are read.
func OfIt(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return inTx(ctx, s, db, "/locks/ofit", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT h.epoch FROM hearths h JOIN rooms r ON r.hearth = h.id WHERE h.id = $1 FOR UPDATE OF h`, id).Scan(&stored); err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE hearths SET lit = true, epoch = $1 WHERE id = $2`, epoch, id)
		return err
	})
}

// OfOther locks the other one.
func OfOther(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return inTx(ctx, s, db, "/locks/ofother", func(tx *sql.Tx, epoch int64) error {
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT g.epoch FROM grates g JOIN rooms r ON r.grate = g.id WHERE g.id = $1 FOR UPDATE OF r`, id).Scan(&stored); err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE grates SET lit = true, epoch = $1 WHERE id = $2`, epoch, id) // want "fencenotadvanced"
		return err
	})
}

// Swapped reads two columns into the variables of each other.
func Swapped(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return inTx(ctx, s, db, "/locks/swapped", func(tx *sql.Tx, epoch int64) error {
		var stored, uses int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch, uses FROM flues WHERE id = $1 FOR UPDATE`, id).Scan(&uses, &stored); err != nil {
			return err
		}
		if stored >= epoch {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE flues SET swept = true, epoch = $1 WHERE id = $2`, epoch, id) // want "fencenotadvanced"
		return err
	})
}
