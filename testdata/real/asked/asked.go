// Package asked hands the answer of a guarded statement out of a callback: whoever
// called it asks how many rows there were, or does not.
package asked

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

const shut = `UPDATE gates SET shut = true, epoch = $1 WHERE id = 1 AND epoch < $1`

// asks looks at the number of rows.
func asks(ctx context.Context, s *concurrency.Session, do func(epoch int64) (sql.Result, error)) error {
	mu := concurrency.NewMutex(s, "/locks/asks")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := do(mu.Header().Revision)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// trusts looks at the error alone.
func trusts(ctx context.Context, s *concurrency.Session, do func(epoch int64) (sql.Result, error)) error {
	mu := concurrency.NewMutex(s, "/locks/trusts")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := do(mu.Header().Revision)
	return err
}

// tags is asks for a driver whose answer is a value.
func tags(ctx context.Context, s *concurrency.Session, do func(epoch int64) (pgconn.CommandTag, error)) error {
	mu := concurrency.NewMutex(s, "/locks/tags")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	tag, err := do(mu.Header().Revision)
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// Asked is refused, and hears of it.
func Asked(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return asks(ctx, s, func(epoch int64) (sql.Result, error) {
		return db.ExecContext(ctx, shut, epoch)
	})
}

// Dropped hands out nothing to be asked.
func Dropped(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return trusts(ctx, s, func(epoch int64) (sql.Result, error) {
		return db.ExecContext(ctx, shut, epoch) // want "rejectionignored"
	})
}

// Tagged is refused, and hears of it.
func Tagged(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return tags(ctx, s, func(epoch int64) (pgconn.CommandTag, error) {
		return pool.Exec(ctx, shut, epoch)
	})
}
