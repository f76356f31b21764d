// Package rolls keeps rolls, and tells in several ways that one is not written.
package rolls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrStale tells that a newer owner was there.
var ErrStale = errors.New("a newer owner was there")

// Store keeps rolls.
type Store struct{ DB *sql.DB }

func (s *Store) write(ctx context.Context, epoch, id int64) error {
	res, err := s.DB.ExecContext(ctx, `UPDATE rolls SET written = true, epoch = $1 WHERE id = $2 AND epoch < $1`, epoch, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrStale)
	}
	return nil
}

// Wrapped has the error in it.
func (s *Store) Wrapped(ctx context.Context, epoch, id int64) error {
	if err := s.write(ctx, epoch, id); err != nil {
		return fmt.Errorf("roll %d: %w", id, err)
	}
	return nil
}

// Worded has its words.
func (s *Store) Worded(ctx context.Context, epoch, id int64) error {
	if err := s.write(ctx, epoch, id); err != nil {
		return fmt.Errorf("roll %d: %v", id, err)
	}
	return nil
}

// Each tells a function.
func (s *Store) Each(ctx context.Context, epoch int64, ids []int64, bad func(id int64, err error)) {
	for _, id := range ids {
		if err := s.write(ctx, epoch, id); err != nil {
			bad(id, err)
		}
	}
}

// Reply is an answer.
type Reply struct {
	OK  bool
	Msg string
}

// Ask answers with a record.
func (s *Store) Ask(ctx context.Context, epoch, id int64) (*Reply, error) {
	if err := s.write(ctx, epoch, id); err != nil {
		return &Reply{Msg: err.Error()}, nil
	}
	return &Reply{OK: true}, nil
}
