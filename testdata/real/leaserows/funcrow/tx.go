package funcrow

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// DB runs functions in transactions.
type DB struct{ pool *sql.DB }

func (db *DB) inTx(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := db.pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := f(tx); err != nil {
		if e := tx.Rollback(); e != nil {
			return fmt.Errorf("rolling back: %v (after %w)", e, err)
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Lock takes a lock in a transaction of its own: the lock outlasts it.
func (db *DB) Lock(ctx context.Context, name string, ttl time.Duration) (func() error, error) {
	var until time.Time
	if err := db.inTx(ctx, func(tx *sql.Tx) error {
		row := tx.QueryRowContext(ctx, `SELECT AcquireLock($1, $2)`, name, int32(ttl.Seconds())) // taken
		if err := row.Scan(&until); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
		if until.IsZero() {
			return ErrTaken
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return db.unlock(ctx, name, until), nil
}

func (db *DB) unlock(ctx context.Context, name string, until time.Time) func() error {
	return func() error {
		return db.inTx(ctx, func(tx *sql.Tx) error {
			var done bool
			return tx.QueryRowContext(ctx, `SELECT ReleaseLock($1, $2)`, name, until).Scan(&done)
		})
	}
}

// Batches works under the lock.
func (db *DB) Batches(ctx context.Context) error {
	unlock, err := db.Lock(ctx, "batches", time.Minute) // taken
	if err != nil {
		return err
	}
	defer unlock()
	_, err = db.pool.ExecContext(ctx, `INSERT INTO batches (at) VALUES (now())`)
	return err
}
