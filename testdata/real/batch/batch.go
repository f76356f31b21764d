// Package batch sends several statements at once.
package batch

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Good compares first, and sends the batch in the same transaction.
func Good(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, ids []int64) error {
	m := concurrency.NewMutex(s, "/batch")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE batches SET fence = $1 WHERE name = 'all' AND fence < $1`, m.Header().Revision)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		b := &pgx.Batch{}
		for _, id := range ids {
			b.Queue(`UPDATE crates SET n = n + 1 WHERE id = $1`, id)
		}
		return tx.SendBatch(ctx, b).Close()
	})
}

// Bad sends the batch through the pool.
func Bad(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, ids []int64) error {
	m := concurrency.NewMutex(s, "/batch")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	for _, id := range ids {
		b.Queue(`UPDATE crates_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	}
	return db.SendBatch(ctx, b).Close()
}

// GoodPrepared runs a statement that it was given in the transaction.
func GoodPrepared(ctx context.Context, s *concurrency.Session, db *sql.DB, st *sql.Stmt, id int64) error {
	m := concurrency.NewMutex(s, "/batch")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `UPDATE batches SET fence = $1 WHERE name = 'all' AND fence < $1`, m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	if _, err := tx.StmtContext(ctx, st).ExecContext(ctx, id); err != nil {
		return err
	}
	return tx.Commit()
}
