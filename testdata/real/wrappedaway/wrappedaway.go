// Package wrappedaway tells of refusals by errors that code out of sight wraps, and by errors of
// its own types.
package wrappedaway

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

// StaleError is a refused write, and nothing else.
type StaleError struct{ Table string }

func (e *StaleError) Error() string { return e.Table + " is newer" }

func changed(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Wrapped returns what a function of another package makes of its error.
func Wrapped(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := changed(db.ExecContext(ctx, `UPDATE wrapped SET n = n + 1, fence = $1 WHERE fence < $1`, m.Header().Revision))
	if err != nil {
		return err
	}
	if n == 0 {
		return os.NewSyscallError("write", errStale)
	}
	return nil
}

// Dropped makes the error and returns none.
func Dropped(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := changed(db.ExecContext(ctx, `UPDATE dropped SET n = n + 1, fence = $1 WHERE fence < $1`, m.Header().Revision)) // want "rejectionignored"
	if err != nil {
		return err
	}
	if n == 0 {
		log.Print(os.NewSyscallError("write", errStale))
	}
	return nil
}

func set(ctx context.Context, db *sql.DB, table string, fence int64) error {
	n, err := changed(db.ExecContext(ctx, fmt.Sprintf(`UPDATE %s SET n = n + 1, fence = $1 WHERE fence < $1`, table), fence))
	if err != nil {
		return err
	}
	if n == 0 {
		return &StaleError{Table: table}
	}
	return nil
}

// Typed hands the error of its own type on, and only counts it.
func Typed(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	err := set(ctx, db, "typed", m.Header().Revision)
	var stale *StaleError
	if errors.As(err, &stale) {
		return fmt.Errorf("table %s: %w", stale.Table, err)
	}
	return err
}

// Taken takes the error of its own type for success.
func Taken(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	err := set(ctx, db, "taken", m.Header().Revision) // want "rejectionignored"
	var stale *StaleError
	if errors.As(err, &stale) {
		return nil
	}
	return err
}

// Switched does so by a switch over types.
func Switched(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	switch err := set(ctx, db, "switched", m.Header().Revision).(type) { // want "rejectionignored"
	case *StaleError:
		return nil
	default:
		return err
	}
}

// Collected guards what follows in its transaction by a row that has to come back.
func Collected(ctx context.Context, pool *pgxpool.Pool, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	fence := m.Header().Revision
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE collected SET n = n + 1, fence = $1 WHERE id = 1 AND fence < $1 RETURNING id`, fence)
		if err != nil {
			return err
		}
		id, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
		if errors.Is(err, pgx.ErrNoRows) {
			return errStale
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO collected_log (id) VALUES ($1)`, id)
		return err
	})
}

// Uncollected goes on without the row.
func Uncollected(ctx context.Context, pool *pgxpool.Pool, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	fence := m.Header().Revision
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE uncollected SET n = n + 1, fence = $1 WHERE id = 1 AND fence < $1 RETURNING id`, fence) // want "rejectionignored"
		if err != nil {
			return err
		}
		if _, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64]); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
}
