package gaveback

import (
	"context"
	"database/sql"
)

type pgLock struct {
	conn *sql.Conn
	id   int
}

func (l *pgLock) Release() error {
	_, err := l.conn.ExecContext(context.Background(), "SELECT pg_advisory_unlock($1)", l.id)
	l.conn.Close()
	return err
}

type pgFactory struct{ db *sql.DB }

func (f *pgFactory) Acquire(ctx context.Context, id []int) (Lock, bool, error) {
	conn, err := f.db.Conn(ctx)
	if err != nil {
		return nil, false, err
	}
	var ok bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", id[0]).Scan(&ok); err != nil { // taken
		conn.Close()
		return nil, false, err
	}
	if !ok {
		conn.Close()
		return nil, false, nil
	}
	return &pgLock{conn, id[0]}, true, nil
}

// New makes a schema whose locks are those of PostgreSQL.
func New(db *sql.DB) *Schema { return &Schema{db, &pgFactory{db}} }
