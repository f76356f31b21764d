// Package forwarded takes locks through several layers, of which one says which lock it is.
//
//fencelint:lock efficiency
package forwarded

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Held is a lock that is held.
type Held interface{ Release() error }

// Locks takes locks.
type Locks interface {
	Acquire(ctx context.Context, name string) (Held, bool, error)
}

type conn struct {
	c    *sql.Conn
	name string
}

func (h *conn) Release() error {
	_, err := h.c.ExecContext(context.Background(), "SELECT pg_advisory_unlock(hashtext($1))", h.name)
	h.c.Close()
	return err
}

// Server keeps locks in PostgreSQL.
type Server struct{ db *sql.DB }

// Acquire takes the lock of a name.
func (s *Server) Acquire(ctx context.Context, name string) (Held, bool, error) {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return nil, false, err
	}
	var ok bool
	err = c.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(hashtext($1))", name).Scan(&ok) // taken
	if err != nil || !ok {
		c.Close()
		return nil, false, err
	}
	return &conn{c, name}, true, nil
}

// Patient tries for a while.
type Patient struct{ Locks }

// Acquire hands on what it is asked for.
func (p Patient) Acquire(ctx context.Context, name string) (Held, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return p.Locks.Acquire(ctx, "app/"+name)
}

// Jobs are done by one process each.
type Jobs struct {
	locks Locks
	db    *sql.DB
}

// NewJobs has the locks in the database.
func NewJobs(db *sql.DB) *Jobs { return &Jobs{Patient{&Server{db}}, db} }

// lockJob says which lock belongs to a job.
func (j *Jobs) lockJob(ctx context.Context, id int) (Held, bool, error) {
	return j.locks.Acquire(ctx, fmt.Sprintf("job-%d", id)) // taken
}

// Do does a job under its lock.
func (j *Jobs) Do(ctx context.Context, id int) error {
	h, ok, err := j.lockJob(ctx, id) // taken
	if err != nil || !ok {
		return err
	}
	defer h.Release()
	_, err = j.db.ExecContext(ctx, "UPDATE jobs SET done = true WHERE id = $1", id)
	return err
}

// Sharded has a server for each kind of name.
type Sharded [2]*Server

// Acquire hands on what it is asked for to one of them.
func (s Sharded) Acquire(ctx context.Context, name string) (Held, bool, error) {
	return s[len(name)%2].Acquire(ctx, name)
}
