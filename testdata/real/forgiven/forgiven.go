// Package forgiven runs work in a transaction, and forgives some errors of it.
package forgiven

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var (
	errStale = errors.New("a newer owner was there")
	errEmpty = errors.New("nothing to do")
)

// tolerant commits also what failed as stale.
func tolerant(ctx context.Context, db *sql.DB, work func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil && !errors.Is(err, errStale) {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// lenient commits where there was nothing to do.
func lenient(ctx context.Context, db *sql.DB, work func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil && err != errEmpty {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// quiet tells nobody of a newer owner.
func quiet(ctx context.Context, db *sql.DB, work func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	switch err := work(tx); {
	case errors.Is(err, errStale):
		return nil
	case err != nil:
		return err
	}
	return tx.Commit()
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Wells are rows under a lock.
type Wells struct {
	db *sql.DB
	mu *concurrency.Mutex
}

// Tolerated is refused, and says that it was done.
func (w *Wells) Tolerated(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := w.mu.Lock(ctx); err != nil {
		return err
	}
	defer w.mu.Unlock(context.WithoutCancel(ctx))
	return tolerant(ctx, w.db, func(tx *sql.Tx) error {
		return changed(tx.ExecContext(ctx, `UPDATE wells SET epoch = $1 WHERE id = $2 AND epoch < $1`, w.mu.Header().Revision, id)) // want "rejectionignored"
	})
}

// Wrapped says more about the error that is forgiven.
func (w *Wells) Wrapped(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := w.mu.Lock(ctx); err != nil {
		return err
	}
	defer w.mu.Unlock(context.WithoutCancel(ctx))
	return tolerant(ctx, w.db, func(tx *sql.Tx) error {
		if err := changed(tx.ExecContext(ctx, `UPDATE wells SET epoch = $1 WHERE id = $2 AND epoch < $1`, w.mu.Header().Revision, id)); err != nil { // want "rejectionignored"
			return fmt.Errorf("well %d: %w", id, err)
		}
		return nil
	})
}

// Lenient gives another error than the one that is forgiven.
func (w *Wells) Lenient(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := w.mu.Lock(ctx); err != nil {
		return err
	}
	defer w.mu.Unlock(context.WithoutCancel(ctx))
	return lenient(ctx, w.db, func(tx *sql.Tx) error {
		return changed(tx.ExecContext(ctx, `UPDATE wells SET epoch = $1 WHERE id = $2 AND epoch < $1`, w.mu.Header().Revision, id))
	})
}

// Quiet is refused, and says nothing.
func (w *Wells) Quiet(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := w.mu.Lock(ctx); err != nil {
		return err
	}
	defer w.mu.Unlock(context.WithoutCancel(ctx))
	return quiet(ctx, w.db, func(tx *sql.Tx) error {
		return changed(tx.ExecContext(ctx, `UPDATE wells SET epoch = $1 WHERE id = $2 AND epoch < $1`, w.mu.Header().Revision, id)) // want "rejectionignored"
	})
}
