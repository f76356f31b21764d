package sqlx

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// GoodSession writes by a method of sqlx in the transaction that took the lock by one of
// database/sql.
func GoodSession(ctx context.Context, db *sqlx.DB, g string) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7)`); err != nil {
		return err
	}
	if _, err := tx.NamedExecContext(ctx, `UPDATE seats SET guest = :g WHERE id = 1`, map[string]any{"g": g}); err != nil {
		return err
	}
	return tx.Commit()
}

// GoodConn does so on a connection.
func GoodConn(ctx context.Context, db *sqlx.DB, g string) error {
	c, err := db.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	//fencelint:lock correctness
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock(7)`); err != nil {
		return err
	}
	defer c.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(7)`)
	tx, err := c.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.NamedExecContext(ctx, `UPDATE seats SET guest = :g WHERE id = 2`, map[string]any{"g": g}); err != nil {
		return err
	}
	return tx.Commit()
}

// BadSession writes past the transaction that took the lock.
func BadSession(ctx context.Context, db *sqlx.DB, g string) error {
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(7)`); err != nil {
		return err
	}
	if _, err := db.NamedExecContext(ctx, `UPDATE seats SET guest = :g WHERE id = 3`, map[string]any{"g": g}); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}
