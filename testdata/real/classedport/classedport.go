// Package main leases work through an interface that only its directive tells to be a lock.
package main

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

type item struct {
	id  int64
	own string
}

type source interface {
	//fencelint:lock correctness
	Pull(ctx context.Context) (*item, error)
	Good(ctx context.Context, it *item) error
	Bad(ctx context.Context, it *item) error
}

type table struct{ db *sql.DB }

//fencelint:lock correctness
func (t *table) Pull(ctx context.Context) (*item, error) {
	it := &item{own: uuid.NewString()}
	err := t.db.QueryRowContext(ctx, `UPDATE pulled SET owner = $1, until = now() + interval '1 minute'
		WHERE id = (SELECT id FROM pulled WHERE until < now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`, it.own).Scan(&it.id)
	if err != nil {
		return nil, err
	}
	return it, nil
}

func (t *table) Good(ctx context.Context, it *item) error {
	res, err := t.db.ExecContext(ctx, `UPDATE pulled SET done = true WHERE id = $1 AND owner = $2`, it.id, it.own)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

func (t *table) Bad(ctx context.Context, it *item) error {
	_, err := t.db.ExecContext(ctx, `UPDATE pulled SET note = 'late' WHERE id = $1`, it.id)
	return err
}

func good(ctx context.Context, s source) error {
	it, err := s.Pull(ctx)
	if err != nil {
		return err
	}
	return s.Good(ctx, it)
}

func bad(ctx context.Context, s source) error {
	it, err := s.Pull(ctx)
	if err != nil {
		return err
	}
	return s.Bad(ctx, it)
}

func work(ctx context.Context, s source) error {
	if err := good(ctx, s); err != nil {
		return err
	}
	return bad(ctx, s)
}

func open(db *sql.DB) source { return &table{db} } // want "unfencedwrite"

func main() {
	if err := work(context.Background(), open(nil)); err != nil {
		panic(err)
	}
}
