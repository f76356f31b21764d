package pgxconn

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// querier is what one function wants of a pool and of a transaction.
type querier interface {
	QueryRow(context.Context, string, ...any) pgx.Row
}

type rowScanner interface {
	Scan(dest ...any) error
}

func scanned(row rowScanner) (int64, error) {
	var id int64
	err := row.Scan(&id)
	return id, err
}

// Alone holds no lock.
func Alone(ctx context.Context, pool *pgxpool.Pool, name string) (int64, error) {
	return create(ctx, pool, name)
}

// Bounded writes on the transaction that has the lock.
func Bounded(ctx context.Context, pool *pgxpool.Pool, name string) (int64, error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	//fencelint:lock correctness
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, 7); err != nil {
		return 0, err
	}
	id, err := create(ctx, tx, name)
	if err != nil {
		return 0, err
	}
	return id, tx.Commit(ctx)
}

// Beside has the lock on a transaction and writes through the pool.
func Beside(ctx context.Context, pool *pgxpool.Pool, name string) (int64, error) {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	//fencelint:lock correctness
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, 7); err != nil {
		return 0, err
	}
	id, err := create(ctx, pool, name) // want "unfencedwrite"
	if err != nil {
		return 0, err
	}
	return id, tx.Commit(ctx)
}

func create(ctx context.Context, q querier, name string) (int64, error) {
	return scanned(q.QueryRow(ctx, `INSERT INTO profiles (name) VALUES ($1) RETURNING id`, name))
}
