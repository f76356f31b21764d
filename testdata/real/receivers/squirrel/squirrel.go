// Package squirrel writes through a query builder whose chains are values.
package squirrel

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/lots")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Maps compares by maps of columns.
func Maps(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("lots").Set("epoch", epoch).Where(sq.Eq{"id": id}).Where(sq.Lt{"epoch": epoch}).RunWith(db).ExecContext(ctx))
	})
}

// Joined joins them, beside one that opens nothing.
func Joined(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("lots").SetMap(sq.Eq{"epoch": epoch, "sold": true}).
			Where(sq.And{sq.Or{sq.Eq{"id": id}, sq.Expr("id = ?", 0)}, sq.Lt{"epoch": epoch}}).
			PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx))
	})
}

// Text compares by a text with arguments.
func Text(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("lots").Set("epoch", epoch).Where("id = ? AND epoch < ?", id, epoch).RunWith(db).ExecContext(ctx))
	})
}

// Suffixed compares where the row is there already.
func Suffixed(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Insert("lots").Columns("id", "epoch").Values(id, epoch).
			Suffix("ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE lots.epoch < EXCLUDED.epoch").
			PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(sq.Update("fences").Set("epoch", epoch).Where(sq.Eq{"name": "lots"}).Where(sq.LtOrEq{"epoch": epoch}).RunWith(tx).ExecContext(ctx)); err != nil {
			return err
		}
		if _, err := sq.Update("signs").Set("up", true).Where(sq.Eq{"id": id}).RunWith(tx).ExecContext(ctx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Open has an alternative.
func Open(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("open").Set("epoch", epoch).Where(sq.Or{sq.Eq{"id": id}, sq.Lt{"epoch": epoch}}).RunWith(db).ExecContext(ctx)) // want "staleadmitted"
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(sq.Update("turned").Set("epoch", epoch).Where(sq.Eq{"id": id}).Where(sq.Gt{"epoch": epoch}).RunWith(db).ExecContext(ctx)) // want "staleadmitted"
	})
}

// Lost drops the result of the step that compares.
func Lost(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := sq.Update("lost").Set("epoch", epoch).Where(sq.Eq{"id": id})
		q.Where(sq.Lt{"epoch": epoch})
		return changed(q.RunWith(db).ExecContext(ctx)) // want "tokennotcompared"
	})
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
