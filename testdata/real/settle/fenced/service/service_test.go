package service

import (
	"context"
	"database/sql"
	"testing"
)

// scratch writes to a database that the test throws away, and compares nothing.
type scratch struct{ db *sql.DB }

func (s scratch) Invoice(ctx context.Context, id int64) (owed int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT owed FROM scratch_invoices WHERE id = $1`, id).Scan(&owed)
	return owed, err
}

func (s scratch) Settle(ctx context.Context, id, _, cents int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE scratch_invoices SET owed = owed - $2 WHERE id = $1`, id, cents)
	return err
}

func TestNew(t *testing.T) {
	if New(nil, scratch{}).store == nil {
		t.Error("a settler without a store")
	}
}
