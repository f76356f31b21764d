package pgx

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func moved(ct pgconn.CommandTag) error {
	if ct.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

// GoodCallback has each answer examined by a function, whose error ends the batch.
func GoodCallback(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, guests map[int64]string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := new(pgx.Batch)
	for id, g := range guests {
		b.Queue(move, id, g, m.Header().Revision).Exec(moved)
	}
	return db.SendBatch(ctx, b).Close()
}

// GoodCallbackRow scans what is given back.
func GoodCallbackRow(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := new(pgx.Batch)
	var got int64
	b.Queue(move+` RETURNING id`, id, g, m.Header().Revision).QueryRow(func(row pgx.Row) error { return row.Scan(&got) })
	return db.SendBatch(ctx, b).Close()
}

// BadCallback looks at the answer, and says nothing.
func BadCallback(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := new(pgx.Batch)
	n := int64(0)
	b.Queue(move, id, g, m.Header().Revision).Exec(func(ct pgconn.CommandTag) error { // want "rejectionignored"
		n += ct.RowsAffected()
		return nil
	})
	return db.SendBatch(ctx, b).Close()
}

// BadCallbackClosed drops the error with which the batch ends.
func BadCallbackClosed(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := new(pgx.Batch)
	b.Queue(move, id, g, m.Header().Revision).Exec(moved) // want "rejectionignored"
	db.SendBatch(ctx, b).Close()
	return nil
}
