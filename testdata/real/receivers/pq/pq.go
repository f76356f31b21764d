// Package pq speaks to PostgreSQL by the helpers of its driver, which are no statements.
package pq

import (
	"context"
	"database/sql"
	"errors"

	"github.com/lib/pq"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/pantry")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Restock compares the epoch; the jars go in as an array.
func Restock(ctx context.Context, s *concurrency.Session, db *sql.DB, table string, jars []int64) error {
	return held(ctx, s, func(epoch int64) error {
		res, err := db.ExecContext(ctx, "UPDATE "+pq.QuoteIdentifier(table)+" SET jars = $1, epoch = $2 WHERE id = 1 AND epoch < $2", pq.Array(jars), epoch)
		if err != nil {
			var refused *pq.Error
			if errors.As(err, &refused) && refused.Code == "40001" {
				return errStale
			}
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errStale)
		}
		return nil
	})
}

// Empty has an array in the place of the epoch's comparison.
func Empty(ctx context.Context, s *concurrency.Session, db *sql.DB, jars []int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ExecContext(ctx, "UPDATE pantries SET jars = NULL, epoch = $2 WHERE id = ANY($1)", pq.Array(jars), epoch) // want "tokennotcompared"
		return err
	})
}

// Load copies rows in: nothing compares.
func Load(ctx context.Context, s *concurrency.Session, tx *sql.Tx, jars []int64) error {
	return held(ctx, s, func(epoch int64) error {
		rows, err := tx.PrepareContext(ctx, pq.CopyIn("jars", "id", "epoch"))
		if err != nil {
			return err
		}
		defer rows.Close()
		for _, jar := range jars {
			if _, err := rows.ExecContext(ctx, jar, epoch); err != nil { // want "unfencedwrite"
				return err
			}
		}
		_, err = rows.ExecContext(ctx) // want "unfencedwrite"
		return err
	})
}
