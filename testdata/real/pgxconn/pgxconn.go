// Package pgxconn takes advisory locks through the lower layers of pgx: the connection
// of a transaction is the transaction's.
package pgxconn

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrTaken says that another owner has the lock.
var ErrTaken = errors.New("another owner has the lock")

const lock = `SELECT lock FROM pg_try_advisory_xact_lock($1) lock WHERE lock`

// Inside locks and writes in one transaction.
func Inside(ctx context.Context, pool *pgxpool.Pool, key []byte) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		//fencelint:lock correctness
		tag, err := tx.Conn().PgConn().ExecParams(ctx, lock, [][]byte{key}, nil, []int16{1}, nil).Close()
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrTaken
		}
		_, err = tx.Exec(ctx, `UPDATE totals SET sum = sum + 1`)
		return err
	})
}

// Outside has no transaction: the lock is gone when the statement returns.
func Outside(ctx context.Context, conn *pgx.Conn, key []byte) error {
	//fencelint:lock correctness
	tag, err := conn.PgConn().ExecParams(ctx, lock, [][]byte{key}, nil, []int16{1}, nil).Close() // want "txlock"
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return ErrTaken
	}
	_, err = conn.Exec(ctx, `UPDATE totals SET sum = sum + 1`)
	return err
}
