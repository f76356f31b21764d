// Package feeds stores the numbers of its owners in tables, from one source or from two.
package feeds

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

func put(ctx context.Context, db *sql.DB, stmt string, id, fence int64) error {
	res, err := db.ExecContext(ctx, stmt, id, fence)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

const (
	chart = `UPDATE charts SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`
	plot  = `UPDATE plots SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`
	atlas = `UPDATE atlases SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`
)

// ByMutex numbers by the revision of a mutex.
func ByMutex(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/feeds")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	if err := put(ctx, db, chart, id, m.Header().Revision); err != nil {
		return err
	}
	return put(ctx, db, plot, id, m.Header().Revision)
}

// ByElection numbers one of its tables by the revision of a key.
func ByElection(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	e := concurrency.NewElection(s, "/feeds")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "f"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	if err := put(ctx, db, chart, id, e.Rev()); err != nil { // want "mixedtokens"
		return err
	}
	return put(ctx, db, atlas, id, e.Rev())
}

// ByTry numbers as ByMutex does.
func ByTry(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/feeds/try")
	//fencelint:lock correctness
	if err := m.TryLock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return put(ctx, db, plot, id, m.Header().Revision)
}
