// Package interfaces reaches its store by interfaces of many kinds.
package interfaces

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type saver interface {
	Save(ctx context.Context) error
}

type store interface {
	saver
	Close() error
}

type wide interface {
	Mark(ctx context.Context) error
	Close() error
}

type narrow interface {
	Mark(ctx context.Context) error
}

type command interface {
	Run(ctx context.Context) error
}

type table struct{ db *sql.DB }

func (t *table) Close() error { return nil }

func (t *table) Save(ctx context.Context) error {
	_, err := t.db.ExecContext(ctx, "UPDATE embedded SET a = 1")
	return err
}

func (t *table) Mark(ctx context.Context) error {
	_, err := t.db.ExecContext(ctx, "UPDATE widened SET a = 1")
	return err
}

type sweep struct{ db *sql.DB }

func (s sweep) Run(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "UPDATE asserted SET a = 1")
	return err
}

type entry struct{ db *sql.DB }

func (e entry) Add(ctx context.Context) error {
	_, err := e.db.ExecContext(ctx, "UPDATE filled SET a = 1")
	return err
}

func addAll[E interface {
	Add(ctx context.Context) error
}](ctx context.Context, es []E) error {
	for _, e := range es {
		if err := e.Add(ctx); err != nil {
			return err
		}
	}
	return nil
}

type service struct {
	store store
	marks narrow
	plain interface {
		Plain(ctx context.Context) error
	}
	queue []any
}

type plain struct{ db *sql.DB }

func (p plain) Plain(ctx context.Context) error {
	_, err := p.db.ExecContext(ctx, "UPDATE unnamed SET a = 1")
	return err
}

func open(db *sql.DB) wide { return &table{db} }

func newService(db *sql.DB) *service {
	w := open(db)
	s := &service{store: &table{db}, marks: w, plain: plain{db}}
	s.queue = append(s.queue, sweep{db})
	return s
}

// Run calls them all.
func (s *service) Run(ctx context.Context, es *concurrency.Session, entries []entry) error {
	mu := concurrency.NewMutex(es, "/locks/interfaces")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := s.store.Save(ctx); err != nil { // want "unfencedwrite"
		return err
	}
	if err := s.marks.Mark(ctx); err != nil { // want "unfencedwrite"
		return err
	}
	if err := s.plain.Plain(ctx); err != nil { // want "unfencedwrite"
		return err
	}
	for _, x := range s.queue {
		if err := x.(command).Run(ctx); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return addAll(ctx, entries) // want "unfencedwrite"
}
