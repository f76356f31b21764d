// Package otherconn takes session locks on a connection that is pinned, and writes on it or
// on another one.
package otherconn

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Good writes on the connection that has the lock.
func Good(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1)"); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(1)")
	_, err = conn.Exec(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id)
	return err
}

// Tx begins a transaction on it.
func Tx(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(2)"); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(2)")
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if _, err = tx.Exec(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Pool writes through the pool, on another connection.
func Pool(ctx context.Context, pool *pgxpool.Pool, id int64) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(3)"); err != nil {
		return err
	}
	defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(3)")
	_, err = pool.Exec(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id) // want "unfencedwrite"
	return err
}

// Two takes a second connection.
func Two(ctx context.Context, db *sql.DB, id int64) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(4)"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(4)")
	other, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer other.Close()
	_, err = other.ExecContext(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id) // want "unfencedwrite"
	return err
}

// Lock is a session lock with its connection.
type Lock struct {
	conn *sql.Conn
	pool *sql.DB
}

// Take takes it.
func Take(ctx context.Context, pool *sql.DB) (*Lock, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(5)"); err != nil {
		conn.Close()
		return nil, err
	}
	return &Lock{conn: conn, pool: pool}, nil
}

// Drop gives it back.
func (l *Lock) Drop(ctx context.Context) error {
	defer l.conn.Close()
	_, err := l.conn.ExecContext(ctx, "SELECT pg_advisory_unlock(5)")
	return err
}

// Save writes on the lock's connection.
func (l *Lock) Save(ctx context.Context, id int64) error {
	_, err := l.conn.ExecContext(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id)
	return err
}

// SaveElsewhere writes through the pool.
func (l *Lock) SaveElsewhere(ctx context.Context, id int64) error {
	_, err := l.pool.ExecContext(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id)
	return err
}

// Kept writes on the lock's connection.
func Kept(ctx context.Context, pool *sql.DB, id int64) error {
	l, err := Take(ctx, pool)
	if err != nil {
		return err
	}
	defer l.Drop(context.WithoutCancel(ctx))
	return l.Save(ctx, id)
}

// KeptElsewhere writes on another one.
func KeptElsewhere(ctx context.Context, pool *sql.DB, id int64) error {
	l, err := Take(ctx, pool)
	if err != nil {
		return err
	}
	defer l.Drop(context.WithoutCancel(ctx))
	return l.SaveElsewhere(ctx, id) // want "unfencedwrite"
}

// Session is a connection that the work is given.
type Session interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// With runs work on the connection that has the lock.
func With(ctx context.Context, db *sql.DB, work func(context.Context, Session) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	//fencelint:lock correctness
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(6)"); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(6)")
	return work(ctx, conn)
}

// Inside writes through what it is given.
func Inside(ctx context.Context, db *sql.DB, id int64) error {
	return With(ctx, db, func(ctx context.Context, s Session) error {
		_, err := s.ExecContext(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id)
		return err
	})
}

// Beside writes through the pool that it captured.
func Beside(ctx context.Context, db *sql.DB, id int64) error {
	return With(ctx, db, func(ctx context.Context, _ Session) error {
		_, err := db.ExecContext(ctx, "UPDATE kegs SET state = 'x' WHERE id = $1", id) // want "unfencedwrite"
		return err
	})
}
