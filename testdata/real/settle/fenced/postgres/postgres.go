// Package postgres keeps invoices in PostgreSQL.
package postgres

import (
	"context"
	"database/sql"
	"errors"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("invoice belongs to a newer owner")

// Store is a table of invoices. Column fence is a bigint, not null, and zero at first.
type Store struct{ db *sql.DB }

// New returns the store in db.
func New(db *sql.DB) *Store { return &Store{db: db} }

// Invoice says how many cents are still owed.
func (s *Store) Invoice(ctx context.Context, id int64) (owed int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT owed FROM invoices WHERE id = $1`, id).Scan(&owed)
	return owed, err
}

// Settle records what was paid, and with which fence, in the statement that compares it.
func (s *Store) Settle(ctx context.Context, id, fence, cents int64) error {
	res, err := s.db.ExecContext(ctx,
		`UPDATE invoices SET owed = owed - $3, fence = $2 WHERE id = $1 AND fence < $2`, id, fence, cents)
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
