// Package ctxtx puts a transaction into the context, and takes the pool where there is none.
package ctxtx

import (
	"context"
	"database/sql"
)

type handle interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

type ctxKey struct{}

func txOf(ctx context.Context) (handle, bool) {
	h, ok := ctx.Value(ctxKey{}).(handle)
	return h, ok
}

// store writes through the transaction in the context, if there is one.
type store struct{ pool *sql.DB }

func (s *store) handle(ctx context.Context) handle {
	if h, ok := txOf(ctx); ok {
		return h
	}
	return s.pool
}

// chosen says the same in another way.
func (s *store) chosen(ctx context.Context) handle {
	var h handle = s.pool
	if tx, ok := txOf(ctx); ok {
		h = tx
	}
	return h
}

func (s *store) exec(ctx context.Context, query string) error {
	_, err := s.handle(ctx).ExecContext(ctx, query)
	return err
}

// locked runs work in a transaction that has the lock.
func (s *store) locked(ctx context.Context, work func(ctx context.Context) error) error {
	tx, err := s.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(3)`); err != nil {
		return err
	}
	if err := work(context.WithValue(ctx, ctxKey{}, handle(tx))); err != nil {
		return err
	}
	return tx.Commit()
}

// Inside hands on the context that it is given.
func (s *store) Inside(ctx context.Context) error {
	return s.locked(ctx, func(ctx context.Context) error {
		return s.exec(ctx, `UPDATE racks SET full = full + 1 WHERE id = 1`)
	})
}

// Chosen does so where the handle is chosen in another way.
func (s *store) Chosen(ctx context.Context) error {
	return s.locked(ctx, func(ctx context.Context) error {
		_, err := s.chosen(ctx).ExecContext(ctx, `UPDATE racks SET full = full + 1 WHERE id = 2`)
		return err
	})
}

// Outside writes with the context from before, which has no transaction.
func (s *store) Outside(ctx context.Context) error {
	return s.locked(ctx, func(context.Context) error {
		return s.exec(context.Background(), `UPDATE racks SET full = full + 1 WHERE id = 3`) // want "unfencedwrite"
	})
}

// Other writes through the pool, whatever the context has.
func (s *store) Other(ctx context.Context) error {
	return s.locked(ctx, func(ctx context.Context) error {
		_, err := s.pool.ExecContext(ctx, `UPDATE racks SET full = full + 1 WHERE id = 4`) // want "unfencedwrite"
		return err
	})
}
