// Package tooearly asks for the number of the hold before there is one, or asks who has it.
package tooearly

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// After asks when it leads.
func After(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return changed(db.ExecContext(ctx, `UPDATE gates SET open = true, term = $1 WHERE id = 1 AND term < $1`, e.Rev()))
}

// Before asks first: that is the number of an earlier term.
func Before(ctx context.Context, e *concurrency.Election, db *sql.DB) error {
	term := e.Rev()
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return changed(db.ExecContext(ctx, `UPDATE doors SET open = true, term = $1 WHERE id = 1 AND term < $1`, term)) // want "volatiletoken"
}

// HeaderBefore keeps the header that the lock had.
func HeaderBefore(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	h := m.Header()
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return changed(db.ExecContext(ctx, `UPDATE hatches SET open = true, term = $1 WHERE id = 1 AND term < $1`, h.GetRevision())) // want "volatiletoken"
}

// Rounds asks in each round, of which the next begins with another hold.
func Rounds(ctx context.Context, m *concurrency.Mutex, db *sql.DB, ids []int64) error {
	for _, id := range ids {
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return err
		}
		err := changed(db.ExecContext(ctx, `UPDATE shutters SET open = true, term = $1 WHERE id = $2 AND term < $1`, m.Header().Revision, id))
		if uerr := m.Unlock(ctx); err != nil || uerr != nil {
			return errors.Join(err, uerr)
		}
	}
	return nil
}

// Who asks for the number of whoever leads now.
func Who(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/leaders/who")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lead, err := e.Leader(ctx)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, `UPDATE wickets SET open = true, term = $1 WHERE id = 1 AND term < $1`, lead.Kvs[0].CreateRevision)) // want "unboundcounter"
}

// OwnKey asks for that of the key which this owner alone has.
func OwnKey(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/leaders/ownkey")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "porter"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	got, err := s.Client().Get(ctx, e.Key())
	if err != nil {
		return err
	}
	if len(got.Kvs) == 0 {
		return errStale
	}
	return changed(db.ExecContext(ctx, `UPDATE turnstiles SET open = true, term = $1 WHERE id = 1 AND term < $1`, got.Kvs[0].CreateRevision))
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
