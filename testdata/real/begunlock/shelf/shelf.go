// Package shelf drops manuals and writes others, one after the other.
package shelf

import (
	"context"

	"fencelint.example/real/begunlock"
)

// Store is what a shelf needs.
type Store interface {
	Drop(ctx context.Context, ids []int64) error
	Classed(ctx context.Context, id int64) error
	Index(ctx context.Context, id int64) error
}

var _ Store = (*begunlock.Store)(nil)

// Turn has no lock where it writes.
func Turn(ctx context.Context, s *begunlock.Store, id int64) error {
	if err := s.Classed(ctx, id); err != nil {
		return err
	}
	return s.Index(ctx, id)
}
