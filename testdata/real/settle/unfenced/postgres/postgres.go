// Package postgres keeps invoices in PostgreSQL.
package postgres

import (
	"context"
	"database/sql"
)

// Store is a table of invoices.
type Store struct{ db *sql.DB }

// New returns the store in db.
func New(db *sql.DB) *Store { return &Store{db: db} }

// Invoice says how many cents are still owed.
func (s *Store) Invoice(ctx context.Context, id int64) (owed int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT owed FROM open_invoices WHERE id = $1`, id).Scan(&owed)
	return owed, err
}

// Settle records what was paid, whoever asks.
func (s *Store) Settle(ctx context.Context, id, cents int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE open_invoices SET owed = owed - $2 WHERE id = $1`, id, cents)
	return err
}
