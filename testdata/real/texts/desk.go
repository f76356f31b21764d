// Package texts has a statement put together in each way that people do it, once so
// that it compares and once so that it does not.
package texts

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/texts/sqlc"
)

var errStale = errors.New("a newer owner was there")

// Desk holds what the statements are sent by.
type Desk struct {
	mu      *concurrency.Mutex
	db      *sql.DB
	xdb     *sqlx.DB
	conn    *pgx.Conn
	q       *sqlc.Queries
	advance *sql.Stmt
	plain   *sql.Stmt
}

// take gives the epoch and what gives the lock back.
//
//fencelint:lock correctness
func (d *Desk) take(ctx context.Context) (int64, func(), error) {
	if err := d.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return d.mu.Header().Revision, func() { d.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
