// Package caserow leases rows by a choice within what is stored: the owner stays until its
// time is over.
package caserow

import (
	"context"
	"database/sql"
	"time"
)

const (
	attempt = `INSERT IGNORE INTO elections (domain, service, last_seen) VALUES (?, ?, now())
		ON DUPLICATE KEY UPDATE
			service = IF(last_seen < now() - INTERVAL ? SECOND, VALUES(service), service),
			last_seen = IF(service = VALUES(service), VALUES(last_seen), last_seen)`
	acquire = `UPDATE leases SET owner = CASE WHEN expires_at < now() THEN ? ELSE owner END, expires_at = ? WHERE name = ?`
)

// AttemptLeadership writes itself in where the leader has not been seen for a while.
func AttemptLeadership(ctx context.Context, db *sql.DB, domain, service string, seconds int) error {
	_, err := db.ExecContext(ctx, attempt, domain, service, seconds) // taken
	return err
}

// Acquire does so with CASE.
func Acquire(ctx context.Context, db *sql.DB, name, owner string, until time.Time) (bool, error) {
	res, err := db.ExecContext(ctx, acquire, owner, until, name) // taken
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Remember keeps an answer until it is old: a cache, and no lease.
func Remember(ctx context.Context, db *sql.DB, name, answer string, until time.Time) error {
	_, err := db.ExecContext(ctx, `INSERT INTO answers (name, answer, expires_at) VALUES (?, ?, ?)
		ON DUPLICATE KEY UPDATE answer = IF(expires_at < now(), VALUES(answer), answer)`, name, answer, until)
	return err
}

// Count raises a number in one case only.
func Count(ctx context.Context, db *sql.DB, name string, fresh bool) error {
	_, err := db.ExecContext(ctx, `UPDATE visits SET n = CASE WHEN ? THEN n + 1 ELSE n END WHERE name = ?`, fresh, name)
	return err
}
