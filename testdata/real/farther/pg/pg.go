// Package pg has vaults in PostgreSQL.
package pg

import (
	"context"
	"database/sql"
	"errors"
)

// Open takes what comes.
type Open struct{ DB *sql.DB }

// Keep stores a body.
func (o *Open) Keep(ctx context.Context, name string, body []byte) error {
	_, err := o.DB.ExecContext(ctx, "UPDATE bodies SET body = $2 WHERE name = $1", name, body)
	return err
}

// Shut compares the epoch first.
type Shut struct{ DB *sql.DB }

var errStale = errors.New("somebody else has the vault")

// KeepAs stores a body if no newer owner has.
func (s *Shut) KeepAs(ctx context.Context, name string, body []byte, epoch int64) error {
	res, err := s.DB.ExecContext(ctx, "UPDATE safe_bodies SET body = $2, epoch = $3 WHERE name = $1 AND epoch < $3", name, body, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
