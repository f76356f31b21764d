// Package optional writes a first state under a lock that it gives back by a function of
// its own.
//
//fencelint:lock efficiency
package optional

import (
	"context"
	"database/sql"
	"fmt"

	"fencelint.example/real/layers/optional/state"
)

type client struct {
	db   *sql.DB
	name string
	conn *sql.Conn
}

func (c *client) Put(ctx context.Context, data []byte) error {
	_, err := c.db.ExecContext(ctx, "UPDATE states SET data = $2 WHERE name = $1", c.name, data)
	return err
}

func (c *client) Lock(ctx context.Context, who string) (string, error) {
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return "", err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(hashtext($1))", c.name); err != nil { // taken
		conn.Close()
		return "", err
	}
	c.conn = conn
	return who, nil
}

func (c *client) Unlock(ctx context.Context, id string) error {
	_, err := c.conn.ExecContext(ctx, "SELECT pg_advisory_unlock(hashtext($1))", c.name)
	c.conn.Close()
	return err
}

// Open gives a state that has been written.
func Open(ctx context.Context, db *sql.DB, name string, quiet bool) (*state.State, error) {
	s := state.New(&client{db: db, name: name})
	if quiet {
		s.Off()
	}
	id, err := s.Lock(ctx, "init") // taken
	if err != nil {
		return nil, err
	}
	unlock := func(parent error) error {
		if err := s.Unlock(ctx, id); err != nil {
			return fmt.Errorf("unlock %s: %w", id, err)
		}
		return parent
	}
	if err := s.Set(ctx, nil); err != nil {
		err = unlock(err)
		return nil, err
	}
	if err := unlock(nil); err != nil {
		return nil, err
	}
	return s, nil
}

// scratch cannot lock.
type scratch struct{ data []byte }

func (s *scratch) Put(_ context.Context, data []byte) error {
	s.data = data
	return nil
}

// Scratch gives a state that is nobody else's.
func Scratch(ctx context.Context) (*state.State, error) {
	s := state.New(&scratch{})
	_, err := s.Lock(ctx, "init")
	return s, err
}
