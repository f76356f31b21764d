// Package keepswith prolongs a lease by the statement that stores how far the work has come.
//
//fencelint:lock correctness
package keepswith

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"
)

// ErrTaken says that another owner has the row.
var ErrTaken = errors.New("another owner has the row")

// Store has its leases in the rows of jobs.
type Store struct{ db *sql.DB }

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrTaken, err)
	}
	return nil
}

// Take leases a job.
func (s *Store) Take(ctx context.Context, id int64, owner string) error {
	return one(s.db.ExecContext(ctx, `UPDATE jobs SET lease_owner = $2, lease_expires_at = now() + interval '1 minute' WHERE id = $1 AND (lease_owner IS NULL OR lease_expires_at < now())`, id, owner))
}

// Good looks at what the statement says.
func Good(ctx context.Context, s *Store, id int64, lines []string) error {
	owner := uuid.NewString()
	if err := s.Take(ctx, id, owner); err != nil {
		return err
	}
	for n := range lines {
		time.Sleep(time.Second)
		if err := one(s.db.ExecContext(ctx, `UPDATE jobs SET lease_expires_at = now() + interval '1 minute', line = $3 WHERE id = $1 AND lease_owner = $2`, id, owner, n)); err != nil {
			return err
		}
	}
	return nil
}

// Bad does not.
func Bad(ctx context.Context, s *Store, id int64, lines []string) error {
	owner := uuid.NewString()
	if err := s.Take(ctx, id, owner); err != nil {
		return err
	}
	for n := range lines {
		time.Sleep(time.Second)
		if _, err := s.db.ExecContext(ctx, `UPDATE jobs SET lease_expires_at = now() + interval '1 minute', line = $3 WHERE id = $1 AND lease_owner = $2`, id, owner, n); err != nil { // want "rejectionignored"
			return err
		}
	}
	return nil
}
