// Package begunlock takes locks of transactions that a library begins and ends.
package begunlock

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var errTaken = errors.New("taken")

// Store keeps manuals.
type Store struct{ pool *pgxpool.Pool }

// Drop is asked what its lock is for, which ends with the transaction.
func (s *Store) Drop(ctx context.Context, ids []int64) error {
	var errs []error
	for _, id := range ids {
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			tag, err := tx.Conn().PgConn().ExecParams(ctx, "SELECT l FROM pg_try_advisory_xact_lock($1) l WHERE l = true", [][]byte{{byte(id)}}, nil, nil, nil).Close() // want "lockclass"
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return errTaken
			}
			_, err = tx.Exec(ctx, "DELETE FROM manuals WHERE id = $1", id)
			return err
		})
		if err != nil && !errors.Is(err, errTaken) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Plain takes it by a statement of the transaction.
func (s *Store) Plain(ctx context.Context, id int64) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", id); err != nil { // want "lockclass"
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM manuals WHERE id = $1", id)
		return err
	})
}

// Classed has a class; what comes after the transaction is not under the lock.
func (s *Store) Classed(ctx context.Context, id int64) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		//fencelint:lock correctness
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM manuals WHERE id = $1", id)
		return err
	})
	if err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, "UPDATE counts SET n = n + 1")
	return err
}

// Index writes, and knows nothing of the lock.
func (s *Store) Index(ctx context.Context, id int64) error {
	_, err := s.pool.Exec(ctx, "UPDATE manuals SET indexed = true WHERE id = $1", id)
	return err
}

// Nested sets a savepoint: the lock lasts until the caller's transaction ends.
func (s *Store) Nested(ctx context.Context, outer pgx.Tx, id int64) error {
	err := pgx.BeginFunc(ctx, outer, func(tx pgx.Tx) error {
		//fencelint:lock correctness
		_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", id)
		return err
	})
	if err != nil {
		return err
	}
	_, err = s.pool.Exec(ctx, "UPDATE counts SET n = n + 1") // want "unfencedwrite"
	return err
}
