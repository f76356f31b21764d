// Package claimedport takes a lock through an interface, by a directive on the statement: what
// nobody can read is said once, at the write.
package claimedport

import (
	"context"
	"database/sql"
)

type locker interface {
	Lock(ctx context.Context) error
	Unlock() error
}

type session struct {
	db   *sql.DB
	conn *sql.Conn
}

func (s *session) Lock(ctx context.Context) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, `SELECT pg_advisory_lock(42)`); err != nil {
		c.Close()
		return err
	}
	s.conn = c
	return nil
}

func (s *session) Unlock() error {
	_, err := s.conn.ExecContext(context.Background(), `SELECT pg_advisory_unlock(42)`)
	if err2 := s.conn.Close(); err == nil {
		err = err2
	}
	return err
}

// New gives a lock of its own.
func New(db *sql.DB) locker { return &session{db: db} }

// Good writes what nobody writes twice.
func Good(ctx context.Context, db *sql.DB, l locker, day string) error {
	if err := l.Lock(ctx); err != nil { //fencelint:lock correctness
		return err
	}
	defer l.Unlock()
	_, err := db.ExecContext(ctx, `INSERT INTO closings (day) VALUES ($1) ON CONFLICT (day) DO NOTHING`, day)
	return err
}

// Bad has a text that is made elsewhere.
func Bad(ctx context.Context, db *sql.DB, l locker, texts chan string) error {
	if err := l.Lock(ctx); err != nil { //fencelint:lock correctness
		return err
	}
	defer l.Unlock()
	_, err := db.ExecContext(ctx, <-texts) // want "unprovedwrite"
	return err
}
