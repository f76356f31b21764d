// Package guardfirst raises a fence, and then calls what it is given in the same transaction.
package guardfirst

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// within begins a transaction, raises the fence, and goes on only if that was taken.
func within(ctx context.Context, pool *pgxpool.Pool, rev int64, f func(pgx.Tx) error) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, `UPDATE fences SET rev = $1 WHERE name = 'ledger' AND rev <= $1`, rev)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errStale
	}
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// GoodWithin writes behind the guard.
func GoodWithin(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) error {
	m := concurrency.NewMutex(s, "/locks/ledger")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return within(ctx, pool, m.Header().Revision, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE ledgers SET closed = true WHERE id = $1`, id)
		return err
	})
}

// inFunc leaves the transaction to the library.
func inFunc(ctx context.Context, pool *pgxpool.Pool, rev int64, f func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var seen int64
		err := tx.QueryRow(ctx, `UPDATE fences SET rev = $1 WHERE name = 'cash' AND rev <= $1 RETURNING rev`, rev).Scan(&seen)
		if errors.Is(err, pgx.ErrNoRows) {
			return errStale
		}
		if err != nil {
			return err
		}
		return f(tx)
	})
}

// GoodInFunc writes behind the guard.
func GoodInFunc(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) error {
	m := concurrency.NewMutex(s, "/locks/cash")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return inFunc(ctx, pool, m.Header().Revision, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE cashes SET closed = true WHERE id = $1`, id)
		return err
	})
}

// anyway goes on whatever became of the fence.
func anyway(ctx context.Context, pool *pgxpool.Pool, rev int64, f func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE fences SET rev = $1 WHERE name = 'till' AND rev <= $1`, rev); err != nil {
			return err
		}
		return f(tx)
	})
}

// BadAnyway hears of no refusal.
func BadAnyway(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) error {
	m := concurrency.NewMutex(s, "/locks/till")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return anyway(ctx, pool, m.Header().Revision, func(tx pgx.Tx) error { // want "rejectionignored"
		_, err := tx.Exec(ctx, `UPDATE tills SET closed = true WHERE id = $1`, id) // want "unfencedwrite"
		return err
	})
}

// beside raises the fence in a transaction, and calls what it is given with the pool.
func beside(ctx context.Context, pool *pgxpool.Pool, rev int64, f func(*pgxpool.Pool) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE fences SET rev = $1 WHERE name = 'safe' AND rev <= $1`, rev)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		return f(pool)
	})
}

// BadBeside writes beside the transaction.
func BadBeside(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) error {
	m := concurrency.NewMutex(s, "/locks/safe")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return beside(ctx, pool, m.Header().Revision, func(p *pgxpool.Pool) error {
		_, err := p.Exec(ctx, `UPDATE safes SET closed = true WHERE id = $1`, id) // want "unfencedwrite"
		return err
	})
}
