// Package stock keeps what its users know by an interface.
package stock

import (
	"context"
	"database/sql"
)

// Shelf is what users of this package get.
type Shelf interface {
	Name() string
	Refill(ctx context.Context) error
	Count(ctx context.Context) (int, error)
}

// Shelves finds them.
type Shelves interface {
	Find(ctx context.Context, name string) (Shelf, error)
}

// New finds shelves in a database.
func New(db *sql.DB) Shelves { return &shelves{db} }

type shelves struct{ db *sql.DB }

func (s *shelves) Find(_ context.Context, name string) (Shelf, error) {
	return &shelf{s.db, name}, nil
}

type shelf struct {
	db   *sql.DB
	name string
}

func (s *shelf) Name() string { return s.name }

func (s *shelf) Refill(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `UPDATE shelves SET full = full + 1 WHERE name = $1`, s.name)
	return err
}

func (s *shelf) Count(ctx context.Context) (int, error) {
	var n int
	err := s.db.QueryRowContext(ctx, `SELECT full FROM shelves WHERE name = $1`, s.name).Scan(&n)
	return n, err
}
