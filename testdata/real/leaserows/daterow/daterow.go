// Package daterow leases rows by the time until which they are leased, and nothing else.
package daterow

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ErrLeased says that somebody else was quicker.
var ErrLeased = errors.New("leased by somebody else")

// Lease moves the time of a row that has been found to be free.
func Lease(ctx context.Context, db *sql.DB, shard int, now, until time.Time) error {
	var last time.Time
	if err := db.QueryRowContext(ctx, `SELECT leased_until FROM shards WHERE id = $1`, shard).Scan(&last); err != nil {
		return err
	}
	if last.After(now) {
		return ErrLeased
	}
	res, err := db.ExecContext(ctx, `UPDATE shards SET leased_until = $1 WHERE id = $2 AND leased_until = $3`, until, shard, last) // taken
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrLeased, err)
	}
	return nil
}

// Renew moves the time of a row that its caller has leased.
func Renew(ctx context.Context, db *sql.DB, shard int, until, next time.Time) error {
	res, err := db.ExecContext(ctx, `UPDATE shards SET leased_until = $1 WHERE id = $2 AND leased_until = $3`, next, shard, until)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrLeased, err)
	}
	return nil
}

// Move changes the time of an order if nobody else has: data, and no lease.
func Move(ctx context.Context, db *sql.DB, id int64, from, to time.Time) error {
	_, err := db.ExecContext(ctx, `UPDATE orders SET valid_until = $1 WHERE id = $2 AND valid_until = $3`, to, id, from)
	return err
}

// RenewOrTake is called after what it does most of the time; its statement lets a new owner
// in all the same.
func RenewOrTake(ctx context.Context, db *sql.DB, shard int, owner string, until time.Time) error {
	res, err := db.ExecContext(ctx, `UPDATE shards SET leased_by = $1, leased_until = $2 WHERE id = $3 AND leased_until < now()`, owner, until, shard) // taken
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrLeased, err)
	}
	return nil
}
