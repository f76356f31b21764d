// Package ledger keeps what was paid in a database.
package ledger

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/ports/port"
)

// ErrStale says that a newer owner paid already.
var ErrStale = errors.New("ledger: obsolete epoch")

type open struct{ db *sql.DB }

// Open returns a ledger that takes every payment.
func Open(db *sql.DB) port.Ledger { return open{db} }

func (l open) Pay(ctx context.Context, month string, cents, _ int64) error {
	_, err := l.db.ExecContext(ctx, "UPDATE salary SET paid = $2 WHERE month = $1", month, cents)
	return err
}

type fenced struct{ db *sql.DB }

// Fenced returns a ledger that refuses obsolete owners.
func Fenced(db *sql.DB) port.Ledger { return fenced{db} }

func (l fenced) Pay(ctx context.Context, month string, cents, epoch int64) error {
	res, err := l.db.ExecContext(ctx, "UPDATE salary SET paid = $2, last_fence = $3 WHERE month = $1 AND last_fence < $3", month, cents, epoch)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrStale
	}
	return nil
}
