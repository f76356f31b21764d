// Package store writes, and answers in three ways.
package store

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/passup/store/exec"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

// Store is some tables.
type Store struct{ DB *sql.DB }

// Count says how many rows it changed: one, or none for an owner with a successor.
func (s *Store) Count(ctx context.Context, table string, id, fence int64) (int64, error) {
	return exec.Rows(ctx, s.DB, "UPDATE "+table+" SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2", id, fence)
}

// Did says whether it changed a row.
func (s *Store) Did(ctx context.Context, table string, id, fence int64) (bool, error) {
	n, err := s.Count(ctx, table, id, fence)
	return n > 0, err
}

// Do fails if it changed no row.
func (s *Store) Do(ctx context.Context, table string, id, fence int64) error {
	ok, err := s.Did(ctx, table, id, fence)
	if err != nil {
		return err
	}
	if !ok {
		return ErrStale
	}
	return nil
}
