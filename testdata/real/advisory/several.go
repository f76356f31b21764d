package advisory

import (
	"context"
	"database/sql"
	"errors"
)

// lockWorkspace takes the lock of the workspace, and that of making one to be sure that
// nobody does; the second is given back at once.
//
//fencelint:lock correctness
func lockWorkspace(ctx context.Context, c *sql.Conn, id int64) error {
	var its, making bool
	if err := c.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1), pg_try_advisory_lock(0)`, id).Scan(&its, &making); err != nil {
		return err
	}
	if !its || !making {
		return errors.New("the workspace is locked")
	}
	_, err := c.ExecContext(ctx, `SELECT pg_advisory_unlock(0)`)
	return err
}

// lockBoth gives back all that it has taken.
//
//fencelint:lock correctness
func lockBoth(ctx context.Context, c *sql.Conn, id int64) error {
	var its, making bool
	if err := c.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1), pg_try_advisory_lock(0)`, id).Scan(&its, &making); err != nil {
		return err
	}
	if !its || !making {
		return errors.New("the workspace is locked")
	}
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_unlock(0)`); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, id)
	return err
}

// Rename holds the lock of the workspace, on another connection than the one that writes.
func Rename(ctx context.Context, db *sql.DB, c *sql.Conn, id int64, name string) error {
	if err := lockWorkspace(ctx, c, id); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE workspaces SET name = $1 WHERE id = $2`, name, id) // want "unfencedwrite"
	return err
}

// Renamed writes on the connection that holds it.
func Renamed(ctx context.Context, c *sql.Conn, id int64, name string) error {
	if err := lockWorkspace(ctx, c, id); err != nil {
		return err
	}
	_, err := c.ExecContext(ctx, `UPDATE workspaces SET name = $1 WHERE id = $2`, name, id)
	return err
}

// Free holds nothing any more.
func Free(ctx context.Context, db *sql.DB, c *sql.Conn, id int64) error {
	if err := lockBoth(ctx, c, id); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE workspaces_free SET id = $1`, id)
	return err
}
