package service

import (
	"context"
	"database/sql"
	"testing"
)

// memory is a store for tests; it is no implementation that a program would run.
type memory map[int64]int64

func (m memory) Invoice(_ context.Context, id int64) (int64, error) { return m[id], nil }

func (m memory) Settle(_ context.Context, id, cents int64) error {
	m[id] -= cents
	return nil
}

// scratch writes to a database that the test throws away.
type scratch struct{ db *sql.DB }

func (s scratch) Invoice(ctx context.Context, id int64) (owed int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT owed FROM scratch_invoices WHERE id = $1`, id).Scan(&owed)
	return owed, err
}

func (s scratch) Settle(ctx context.Context, id, cents int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE scratch_invoices SET owed = owed - $2 WHERE id = $1`, id, cents)
	return err
}

func TestNew(t *testing.T) {
	for _, store := range []Store{memory{}, scratch{}} {
		if New(nil, store).store == nil {
			t.Error("a settler without a store")
		}
	}
}
