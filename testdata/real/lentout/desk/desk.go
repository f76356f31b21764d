// Package desk gives out locks as an interface, and takes none itself.
package desk

import (
	"context"
	"database/sql"
)

// Desk gives out locks.
type Desk interface{ Lend(key int64) Lock }

// Lock is a lock that is given out.
type Lock interface {
	Take(ctx context.Context) error
	Return() error
}

type desk struct{ db *sql.DB }

// New is a desk whose locks live in a database.
func New(db *sql.DB) Desk { return &desk{db} }

// Lend gives a lock out.
func (d *desk) Lend(key int64) Lock { return &lent{db: d.db, key: key} }

type lent struct {
	db  *sql.DB
	key int64
	c   *sql.Conn
}

// Take waits for the lock.
func (l *lent) Take(ctx context.Context) error {
	c, err := l.db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, "SELECT pg_advisory_lock($1)", l.key); err != nil {
		c.Close()
		return err
	}
	l.c = c
	return nil
}

// Return gives the lock back.
func (l *lent) Return() error {
	_, _ = l.c.ExecContext(context.Background(), "SELECT pg_advisory_unlock($1)", l.key)
	return l.c.Close()
}
