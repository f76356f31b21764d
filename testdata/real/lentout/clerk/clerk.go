// Package clerk borrows locks of which it only knows the interface.
package clerk

import (
	"context"
	"database/sql"

	"fencelint.example/real/lentout/desk"
)

// Shelf is where files are kept.
type Shelf interface {
	Clear(ctx context.Context, id int64) error
}

type shelf struct{ db *sql.DB }

func (s *shelf) Clear(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM files WHERE id = $1", id)
	return err
}

type clerk struct {
	desk  desk.Desk
	shelf Shelf
	db    *sql.DB
}

// New is a clerk at a desk.
func New(db *sql.DB) *clerk { return &clerk{desk.New(db), &shelf{db}, db} }

func (c *clerk) nobodySays(ctx context.Context, id int64) error {
	l := c.desk.Lend(1)
	if err := l.Take(ctx); err != nil { // want "lockclass"
		return err
	}
	defer func() { _ = l.Return() }()
	_, err := c.db.ExecContext(ctx, "UPDATE files SET closed = true WHERE id = $1", id)
	return err
}

func (c *clerk) harmless(ctx context.Context, id int64) error {
	l := c.desk.Lend(2)
	//fencelint:lock efficiency
	if err := l.Take(ctx); err != nil {
		return err
	}
	defer func() { _ = l.Return() }()
	_, err := c.db.ExecContext(ctx, "UPDATE notes SET read = true WHERE id = $1", id)
	return err
}

// closes is open to an obsolete owner at one place, although a second close says the same.
func (c *clerk) closes(ctx context.Context, id int64) error {
	l := c.desk.Lend(3)
	//fencelint:lock correctness
	if err := l.Take(ctx); err != nil {
		return err
	}
	defer func() { _ = l.Return() }()
	_, err := c.db.ExecContext(ctx, "UPDATE files SET closed = true WHERE id = $1", id) // want "unfencedwrite"
	return err
}

func (c *clerk) clears(ctx context.Context, id int64) error {
	return c.holding(ctx, 4, func(ctx context.Context) error {
		return c.shelf.Clear(ctx, id) // want "unfencedwrite"
	})
}

func (c *clerk) take(ctx context.Context, key int64) (desk.Lock, error) {
	l := c.desk.Lend(key)
	//fencelint:lock correctness
	if err := l.Take(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

func (c *clerk) holding(ctx context.Context, key int64, work func(context.Context) error) error {
	l, err := c.take(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = l.Return() }()
	return work(ctx)
}
