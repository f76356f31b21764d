// Package typed says of a type for what the lock in its field is.
package typed

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Stile is locked by whoever goes through.
//
//fencelint:lock correctness
type Stile struct{ mu *concurrency.Mutex }

// Count compares.
func (s *Stile) Count(ctx context.Context, db *sql.DB) error {
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, `UPDATE stiles SET n = n + 1, fence = $1 WHERE id = 1 AND fence < $1`, s.mu.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Shut does not.
func (s *Stile) Shut(ctx context.Context, db *sql.DB) error {
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE stile_states SET shut = true`) // want "unfencedwrite"
	return err
}

// Gate says nothing.
type Gate struct{ mu *concurrency.Mutex }

// Shut asks for a class.
func (g *Gate) Shut(ctx context.Context) error {
	if err := g.mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	return g.mu.Unlock(ctx)
}
