// Package tablenames keeps leases in tables whose names come at run time, and gives
// jobs to workers by a statement that chooses them in a subquery.
//
//fencelint:lock correctness
package tablenames

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrTaken says that another owner has the row.
var ErrTaken = errors.New("another owner has the row")

// Store has its leases in a table that is named when it is made.
type Store struct {
	db    *sql.DB
	table string
}

// Take writes the name of the table before its columns, too.
func (s *Store) Take(ctx context.Context, id int64, owner string, until time.Time) error {
	query := fmt.Sprintf(`INSERT INTO %s (id, held_by, lease_expires_at) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET held_by = $2, lease_expires_at = $3
		WHERE %s.held_by IS NULL OR %s.lease_expires_at < now() RETURNING held_by`, s.table, s.table, s.table)
	var got string
	err := s.db.QueryRowContext(ctx, query, id, owner, until).Scan(&got)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrTaken
	}
	return err
}

// Drop gives the row back.
func (s *Store) Drop(ctx context.Context, id int64, owner string) error {
	query := fmt.Sprintf(`UPDATE %s SET held_by = NULL, lease_expires_at = NULL WHERE id = $1 AND held_by = $2`, s.table)
	_, err := s.db.ExecContext(ctx, query, id, owner)
	return err
}

// Settle works under a lease.
func Settle(ctx context.Context, s *Store, owner string) error {
	if err := s.Take(ctx, 1, owner, time.Now().Add(time.Minute)); err != nil {
		return err
	}
	defer s.Drop(ctx, 1, owner)
	_, err := s.db.ExecContext(ctx, fmt.Sprintf(`UPDATE orders SET total = total + 1`)) // want "unfencedwrite"
	return err
}

// Queue gives jobs to workers.
type Queue struct {
	db     *sql.DB
	worker string
}

// Next chooses a job in a subquery with a limit.
func (q *Queue) Next(ctx context.Context) (string, error) {
	var id string
	err := q.db.QueryRowContext(ctx, `UPDATE jobs SET locked_by = $1, lock_expiration = $2 WHERE seq = (
		SELECT seq FROM jobs j WHERE (j.lock_expiration IS NULL OR j.lock_expiration < now())
		ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`, q.worker, time.Now().Add(time.Minute)).Scan(&id)
	return id, err
}

// Abandon gives a job back.
func (q *Queue) Abandon(ctx context.Context, id string) error {
	_, err := q.db.ExecContext(ctx, `UPDATE jobs SET locked_by = NULL, lock_expiration = NULL WHERE id = $1 AND locked_by = $2`, id, q.worker)
	return err
}

// Work does a job.
func Work(ctx context.Context, q *Queue) error {
	id, err := q.Next(ctx)
	if err != nil {
		return err
	}
	defer q.Abandon(ctx, id)
	_, err = q.db.ExecContext(ctx, `UPDATE results SET done = done + 1 WHERE job = $1`, id) // want "unfencedwrite"
	return err
}

// Mark chooses by the time of another table: that is no lease.
func Mark(ctx context.Context, db *sql.DB, owner string) error {
	if _, err := db.ExecContext(ctx, `UPDATE parcels SET picked_by = $1 WHERE id IN (SELECT parcel FROM slots WHERE slots.valid_until < now())`, owner); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE depots SET open = open + 1`)
	return err
}
