// Package awaitlock takes a lock in a goroutine, so that the wait for it can end.
package awaitlock

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

var errLate = errors.New("the lock was not to be had in time")

// ledger writes through a connection of its own.
type ledger struct {
	conn *sql.Conn
	pool *sql.DB
}

// lock waits for it no longer than a minute.
func (l *ledger) lock(ctx context.Context) error {
	got := make(chan error, 2)
	time.AfterFunc(time.Minute, func() { got <- errLate })
	go func() {
		//fencelint:lock correctness
		_, err := l.conn.ExecContext(ctx, `SELECT pg_advisory_lock(7)`)
		got <- err
	}()
	return <-got
}

// Same writes through the connection that has the lock.
func (l *ledger) Same(ctx context.Context) error {
	if err := l.lock(ctx); err != nil {
		return err
	}
	_, err := l.conn.ExecContext(ctx, `UPDATE pages SET open = true WHERE id = 1`)
	return err
}

// Other writes through another one.
func (l *ledger) Other(ctx context.Context) error {
	if err := l.lock(ctx); err != nil {
		return err
	}
	_, err := l.pool.ExecContext(ctx, `UPDATE pages SET open = true WHERE id = 1`) // want "unfencedwrite"
	return err
}
