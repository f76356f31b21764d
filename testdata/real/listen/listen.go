// Package listen hears of refusals in the ways that libraries offer, and loses them.
package listen

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
	"golang.org/x/sync/errgroup"
)

var errStale = errors.New("a newer owner was there")

func hold(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, func(), error) {
	m := concurrency.NewMutex(s, "/listen")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, nil, err
	}
	return m, func() { _ = m.Unlock(context.WithoutCancel(ctx)) }, nil
}

// GoodGet scans by itself: the refusal is its error.
func GoodGet(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64) (left int, err error) {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return 0, err
	}
	defer unlock()
	err = db.GetContext(ctx, &left, `UPDATE shelf SET n = n - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING n`, id, m.Header().Revision)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, errStale
	}
	return left, err
}

// BadGet takes the refusal for an empty shelf.
func BadGet(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64) (left int, err error) {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return 0, err
	}
	defer unlock()
	err = db.GetContext(ctx, &left, `UPDATE shelf SET n = n - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING n`, id, m.Header().Revision) // want "rejectionignored"
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return left, err
}

// BadRow does so with the error of pgx, which has a name of its own.
func BadRow(ctx context.Context, s *concurrency.Session, db *pgxpool.Pool, id int64) (left int, err error) {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return 0, err
	}
	defer unlock()
	err = db.QueryRow(ctx, `UPDATE shelf SET n = n - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING n`, id, m.Header().Revision).Scan(&left) // want "rejectionignored"
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return left, err
}

// GoodGroup hands the refusal to the group, which gives it back.
func GoodGroup(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return take(ctx, db, id, m.Header().Revision) })
	return g.Wait()
}

// BadGroup does not ask the group.
func BadGroup(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	var g errgroup.Group
	g.Go(func() error { return take(ctx, db, id, m.Header().Revision) }) // want "rejectionignored"
	_ = g.Wait()
	return nil
}

// GoodDeferred adds to the error when it leaves.
func GoodDeferred(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (err error) {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	defer func() {
		if err != nil {
			err = errors.Join(errors.New("taking"), err)
		}
	}()
	return take(ctx, db, id, m.Header().Revision)
}

// BadDeferred forgets the error when it leaves.
func BadDeferred(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (err error) {
	m, unlock, err := hold(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	defer func() {
		if errors.Is(err, errStale) {
			err = nil
		}
	}()
	return take(ctx, db, id, m.Header().Revision) // want "rejectionignored"
}

func take(ctx context.Context, db *sql.DB, id, fence int64) error {
	res, err := db.ExecContext(ctx, `UPDATE shelf SET n = n - 1, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
