// Package pgx writes rows of PostgreSQL through pgx.
package pgx

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

const move = `UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// GoodTag asks how many rows the statement changed.
func GoodTag(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tag, err := db.Exec(ctx, move, id, g, m.Header().Revision)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

// BadTag does not ask.
func BadTag(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.Exec(ctx, move, id, g, m.Header().Revision) // want "rejectionignored"
	return err
}

// GoodRow learns of a refusal by the row that does not come back.
func GoodRow(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var got int64
	err = db.QueryRow(ctx, move+` RETURNING id`, id, g, m.Header().Revision).Scan(&got)
	if errors.Is(err, pgx.ErrNoRows) {
		return errStale
	}
	return err
}

// BadRow takes the missing row for success.
func BadRow(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var got int64
	err = db.QueryRow(ctx, move+` RETURNING id`, id, g, m.Header().Revision).Scan(&got) // want "rejectionignored"
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

// BadBatch compares nothing.
func BadBatch(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE seats SET guest = $2 WHERE id = $1`, id, g) // want "unfencedwrite"
	return db.SendBatch(ctx, b).Close()
}

// GoodTx asks inside the transaction, and rolls back.
func GoodTx(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, move, id, g, f)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		return nil
	})
}

// BadTx has a transaction, which is no guard.
func BadTx(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE seats SET guest = $2 WHERE id = $1`, id, g) // want "unfencedwrite"
		return err
	})
}

// BadBatchResult does not ask what became of the statement.
func BadBatchResult(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, m.Header().Revision) // want "rejectionignored"
	return db.SendBatch(ctx, b).Close()
}

// GoodBatch reads the answer to its statement.
func GoodBatch(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, m.Header().Revision)
	res := db.SendBatch(ctx, b)
	defer res.Close()
	tag, err := res.Exec()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

// BadBatchLate takes a refusal for success.
func BadBatchLate(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, m.Header().Revision) // want "rejectionignored"
	res := db.SendBatch(ctx, b)
	defer res.Close()
	tag, err := res.Exec()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return nil
}

// BadBatchFirst reads one answer of two.
func BadBatchFirst(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE seats SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, m.Header().Revision)  // want "rejectionignored"
	b.Queue(`UPDATE tables SET guest = $2, fence = $3 WHERE id = $1 AND fence < $3`, id, g, m.Header().Revision) // want "rejectionignored"
	res := db.SendBatch(ctx, b)
	defer res.Close()
	tag, err := res.Exec()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

// GoodBatchLoop reads as many answers as it has queued statements.
func GoodBatchLoop(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, ids []int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	for _, id := range ids {
		b.Queue(move, id, g, m.Header().Revision)
	}
	res := db.SendBatch(ctx, b)
	defer res.Close()
	for range ids {
		tag, err := res.Exec()
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
	}
	return nil
}
