// Package funcrow has its locks behind functions that the schema defines.
package funcrow

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ErrTaken says that somebody else has the lock.
var ErrTaken = errors.New("taken")

// Lock takes a lock, and gives back a function that frees it.
func Lock(ctx context.Context, db *sql.DB, name string, ttl time.Duration) (func() error, error) {
	var until sql.NullTime
	if err := db.QueryRowContext(ctx, `SELECT AcquireLock($1, $2)`, name, ttl.Seconds()).Scan(&until); err != nil { // taken
		return nil, err
	}
	if !until.Valid {
		return nil, ErrTaken
	}
	return func() error {
		_, err := db.ExecContext(ctx, `SELECT ReleaseLock($1, $2)`, name, until.Time)
		return err
	}, nil
}

// Badge takes a number: what it is called after is no lock.
func Badge(ctx context.Context, db *sql.DB, who string) (n int, err error) {
	err = db.QueryRowContext(ctx, `SELECT take_badge($1)`, who).Scan(&n)
	return n, err
}

// Clock reads the time, which is no lock either.
func Clock(ctx context.Context, db *sql.DB) (at time.Time, err error) {
	err = db.QueryRowContext(ctx, `SELECT get_clock()`).Scan(&at)
	return at, err
}
