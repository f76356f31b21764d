package pgxconn

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Dialled has a connection of its own, which is no pool's: closing it ends the session.
func Dialled(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(7)`); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `UPDATE totals SET sum = sum + 1`)
	return err
}

// Borrowed gives a pool's connection back with the lock on it.
func Borrowed(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // want "unsaferelease"
	//fencelint:lock correctness
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(7)`); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `UPDATE totals SET sum = sum + 1`)
	return err
}

// Bare reads the answer from the end of the reply.
func Bare(ctx context.Context, conn *pgconn.PgConn, key []byte) error {
	//fencelint:lock correctness
	tag, err := conn.ExecParams(ctx, `SELECT lock FROM pg_try_advisory_lock($1) lock WHERE lock = true`, [][]byte{key}, nil, []int16{1}, nil).Close()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrTaken
	}
	return nil
}

// turns are taken by a helper: what is wrong with it is said there, once.
type turns struct{ pool *pgxpool.Pool }

//fencelint:lock correctness
func (t *turns) take(ctx context.Context) (bool, error) {
	var ok bool
	err := t.pool.QueryRow(ctx, `SELECT pg_try_advisory_lock(8)`).Scan(&ok) // want "poollock"
	return ok, err
}

// First takes a turn.
func (t *turns) First(ctx context.Context) error {
	ok, err := t.take(ctx)
	if err != nil || !ok {
		return err
	}
	_, err = t.pool.Exec(ctx, `UPDATE totals SET sum = 1`)
	return err
}

// Second takes one, too.
func (t *turns) Second(ctx context.Context) error {
	ok, err := t.take(ctx)
	if err != nil || !ok {
		return err
	}
	_, err = t.pool.Exec(ctx, `UPDATE totals SET sum = 2`)
	return err
}
