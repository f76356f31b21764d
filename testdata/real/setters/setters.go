// Package setters has writers to which the epoch is brought by a method, before or after
// they are used, on each way or on one.
package setters

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("somebody else is in charge")

type stamp struct{ epoch int64 }

func (s *stamp) Stamp(epoch int64) { s.epoch = epoch }

// scribe writes with an epoch of its own.
type scribe struct {
	db    *sql.DB
	epoch int64
}

func (s *scribe) Begin(epoch int64) { s.epoch = epoch }

func (s *scribe) sign(ctx context.Context, id int64) error {
	return signed(s.db.ExecContext(ctx, "UPDATE letters SET signed = true, epoch = $2 WHERE id = $1 AND epoch < $2", id, s.epoch))
}

// notary has the epoch in a part.
type notary struct {
	stamp
	db *sql.DB
}

func (n *notary) sign(ctx context.Context, id int64) error {
	return signed(n.db.ExecContext(ctx, "UPDATE deeds SET signed = true, epoch = $2 WHERE id = $1 AND epoch < $2", id, n.epoch))
}

func signed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type signer interface {
	sign(ctx context.Context, id int64) error
}

func newScribe(db *sql.DB, epoch int64) *scribe {
	s := &scribe{db: db}
	s.Begin(epoch)
	return s
}

func newNotary(db *sql.DB, epoch int64) signer {
	n := &notary{db: db}
	n.Stamp(epoch)
	return n
}

func maybeScribe(db *sql.DB, epoch int64, official bool) *scribe {
	s := &scribe{db: db}
	if official {
		s.Begin(epoch)
	}
	return s
}

func perhapsScribe(db *sql.DB, epoch int64, official bool) *scribe {
	s := &scribe{db: db}
	if official {
		s.epoch = epoch
	}
	return s
}

func eitherScribe(db *sql.DB, m *concurrency.Mutex, official bool) *scribe {
	s := &scribe{db: db}
	if official {
		s.Begin(m.Header().Revision)
	} else {
		s.epoch = m.Header().Revision
	}
	return s
}

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/office")
	//fencelint:lock correctness
	return m, m.Lock(ctx)
}

func goodScribe(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return newScribe(db, m.Header().Revision).sign(ctx, id)
}

func goodNotary(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return newNotary(db, m.Header().Revision).sign(ctx, id)
}

func goodEither(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64, official bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return eitherScribe(db, m, official).sign(ctx, id)
}

func badMaybe(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64, official bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return maybeScribe(db, m.Header().Revision, official).sign(ctx, id) // want "zerotoken"
}

func badPerhaps(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64, official bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return perhapsScribe(db, m.Header().Revision, official).sign(ctx, id) // want "zerotoken"
}

func badLate(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	w := &scribe{db: db}
	if err := w.sign(ctx, id); err != nil { // want "zerotoken"
		return err
	}
	w.Begin(m.Header().Revision)
	return nil
}

func badOther(ctx context.Context, db *sql.DB, s *concurrency.Session, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(ctx)
	w, other := &scribe{db: db}, &scribe{db: db}
	other.Begin(m.Header().Revision)
	return w.sign(ctx, id) // want "zerotoken"
}
