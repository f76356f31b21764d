// Package zerobeside gives back an epoch beside an error that may be none.
package zerobeside

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrStale says that a newer owner was there.
var ErrStale = errors.New("a newer owner was there")

var errClosed = errors.New("closed")

// Line writes under a lock.
type Line struct {
	db     *sql.DB
	closed bool
	quick  bool
}

func (l *Line) ready() error {
	if l.closed {
		return errClosed
	}
	return nil
}

func (l *Line) refuse() error { return errClosed }

func (l *Line) save(ctx context.Context, epoch int64) error {
	res, err := l.db.ExecContext(ctx, "UPDATE lines SET epoch = $1, at = now() WHERE id = 1 AND epoch < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrStale
	}
	return nil
}

func (l *Line) saveOther(ctx context.Context, epoch int64) error {
	res, err := l.db.ExecContext(ctx, "UPDATE lines SET epoch = $1, at = now() WHERE id = 2 AND epoch < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrStale
	}
	return nil
}

// take leaves the epoch out where nothing is wrong.
func (l *Line) take(ctx context.Context, m *concurrency.Mutex) (int64, error) {
	if err := m.Lock(ctx); err != nil {
		return 0, err
	}
	if l.quick {
		return 0, l.ready()
	}
	return m.Header().Revision, nil
}

// takeOther leaves it out where something is wrong.
func (l *Line) takeOther(ctx context.Context, m *concurrency.Mutex) (int64, error) {
	if err := m.Lock(ctx); err != nil {
		return 0, err
	}
	if err := l.ready(); err != nil {
		return 0, err
	}
	if l.closed {
		return 0, l.refuse()
	}
	return m.Header().Revision, nil
}

// Bad writes with what it got.
func (l *Line) Bad(ctx context.Context, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/zerobeside/bad")
	//fencelint:lock correctness
	epoch, err := l.take(ctx, m)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return l.save(ctx, epoch) // want "zerotoken"
}

// Good does so, and what it got is an epoch.
func (l *Line) Good(ctx context.Context, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/zerobeside/good")
	//fencelint:lock correctness
	epoch, err := l.takeOther(ctx, m)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return l.saveOther(ctx, epoch)
}
