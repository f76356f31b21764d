// Package fenced writes reports under a lock, and lets the database refuse an owner that
// has a successor.
package fenced

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrRefused is the answer to an owner that has a successor, and to a write that comes a
// second time.
var ErrRefused = errors.New("refused: the report has a newer owner or version")

// Writer writes one report at a time.
type Writer struct {
	Session *concurrency.Session
	Store   Store
}

// Write renders report id and stores it. The revision that etcd gives with the lock is
// the epoch of this owner: every later owner has a larger one.
func (w Writer) Write(ctx context.Context, id int64, render func(context.Context) (string, error)) error {
	mu := concurrency.NewMutex(w.Session, fmt.Sprintf("/locks/report/%d", id))
	//fencelint:lock correctness activated
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision

	// From here on the database refuses every earlier owner, before any work is done.
	version, err := w.Store.Activate(ctx, id, epoch)
	if err != nil {
		return err
	}
	body, err := render(ctx)
	if err != nil {
		return err
	}
	// A pause here may be as long as it likes.
	return w.Store.Commit(ctx, id, epoch, version, body)
}

// Store keeps reports in PostgreSQL.
type Store struct{ DB *sql.DB }

// Activate makes epoch the one that may write report id, and returns the version that
// its owner starts from.
func (s Store) Activate(ctx context.Context, id, epoch int64) (version int64, err error) {
	err = s.DB.QueryRowContext(ctx,
		`UPDATE report_result SET last_fence = $2 WHERE id = $1 AND last_fence < $2 RETURNING version`,
		id, epoch).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrRefused
	}
	return version, err
}

// Commit stores body if epoch is still the latest, and nothing was stored since version.
func (s Store) Commit(ctx context.Context, id, epoch, version int64, body string) error {
	res, err := s.DB.ExecContext(ctx,
		`UPDATE report_result SET body = $4, version = version + 1
		  WHERE id = $1 AND last_fence = $2 AND version = $3`,
		id, epoch, version, body)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrRefused
	}
	return nil
}
