// Package shelf marks shipments whatever the epoch is. What that means is told where it is
// given to somebody who has the lock: it goes past nobody.
package shelf

import (
	"context"
	"database/sql"
)

// Shelf keeps shipments.
type Shelf struct{ DB *sql.DB }

// Mark marks one.
func (s *Shelf) Mark(ctx context.Context, id string, _ int64) error {
	_, err := s.DB.ExecContext(ctx, "UPDATE shipments SET marked = true WHERE id = $1", id)
	return err
}
