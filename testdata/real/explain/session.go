package explain

import (
	"context"
	"database/sql"
)

// BadSession holds a lock that has no lease: it goes with its connection.
func BadSession(ctx context.Context, db *sql.DB, id int64) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(7)"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(7)")
	_, err = db.ExecContext(ctx, "UPDATE docks SET closed = true WHERE id = $1", id) // want "unfencedwrite"
	return err
}
