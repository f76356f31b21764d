// Package counted takes numbers that the program computes.
package counted

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type store struct {
	db   *sql.DB
	s    *concurrency.Session
	term int64
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodShifted adds the same to every number, which keeps their order.
func (st *store) GoodShifted(ctx context.Context, id int) error {
	m := concurrency.NewMutex(st.s, "/n")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision + 1000000
	return one(st.db.ExecContext(ctx, "UPDATE neg SET x=1, fence=$2 WHERE id=$1 AND fence < $2", id, f))
}

// BadNegated turns the order round.
func (st *store) BadNegated(ctx context.Context, id int) error {
	m := concurrency.NewMutex(st.s, "/n")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := 1000000 - m.Header().Revision
	return one(st.db.ExecContext(ctx, "UPDATE neg SET x=1, fence=$2 WHERE id=$1 AND fence < $2", id, f)) // want "unprovedwrite"
}

// BadTerm counts for itself.
func (st *store) BadTerm(ctx context.Context, id int) error {
	m := concurrency.NewMutex(st.s, "/n")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	st.term++
	return one(st.db.ExecContext(ctx, "UPDATE terms SET x=1, fence=$2 WHERE id=$1 AND fence < $2", id, st.term)) // want "localcounter"
}

// BadRead reads the last number and takes the next one.
func (st *store) BadRead(ctx context.Context, id int) error {
	m := concurrency.NewMutex(st.s, "/read")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var last int64
	if err := st.db.QueryRowContext(ctx, `SELECT fence FROM reads WHERE id = $1`, id).Scan(&last); err != nil {
		return err
	}
	return one(st.db.ExecContext(ctx, `UPDATE reads SET x = 1, fence = $2 WHERE id = $1 AND fence < $2`, id, last+1)) // want "unboundcounter"
}
