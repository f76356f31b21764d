// Package asvalues hands methods of libraries on as values.
package asvalues

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type guard struct {
	exec   func(ctx context.Context, q string, args ...any) (sql.Result, error)
	number func() int64
}

func (g guard) update(ctx context.Context, q string, id int64) error {
	return one(g.exec(ctx, q, id, g.number()))
}

func (g guard) drop(ctx context.Context, q string, id int64) error {
	_, err := g.exec(ctx, q, id, g.number())
	return err
}

// GoodUpdate hears of a refusal by the value that it called.
func GoodUpdate(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	e := concurrency.NewElection(s, "/elections/updates")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return guard{db.ExecContext, e.Rev}.update(ctx, `UPDATE updates SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id)
}

// BadDrop looks at the error alone.
func BadDrop(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	e := concurrency.NewElection(s, "/elections/drops")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return guard{db.ExecContext, e.Rev}.drop(ctx, `UPDATE drops SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id) // want "rejectionignored"
}

// BadLease calls a method value in a literal: it gives the lease, which has no order.
func BadLease(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	e := concurrency.NewElection(s, "/elections/leases")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	lease := s.Lease
	g := guard{db.ExecContext, func() int64 { return int64(lease()) }}
	return g.update(ctx, `UPDATE let SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id) // want "opaquetoken"
}

// GoodRevision calls the right one.
func GoodRevision(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	e := concurrency.NewElection(s, "/elections/revisions")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	rev := e.Rev
	g := guard{db.ExecContext, func() int64 { return rev() }}
	return g.update(ctx, `UPDATE revised SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id)
}

// BadPool rebinds the text with which it takes a lock of one connection: that runs nothing yet,
// and unlocks nothing.
func BadPool(ctx context.Context, db *sqlx.DB) error {
	//fencelint:lock correctness
	if _, err := db.ExecContext(ctx, db.Rebind(`SELECT pg_advisory_lock(?)`), 7); err != nil { // want "poollock"
		return err
	}
	defer db.ExecContext(context.WithoutCancel(ctx), db.Rebind(`SELECT pg_advisory_unlock(?)`), 7)
	_, err := db.ExecContext(ctx, `DELETE FROM pooled WHERE expired`)
	return err
}

// GoodConn rebinds for a connection.
func GoodConn(ctx context.Context, db *sqlx.DB) error {
	c, err := db.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	//fencelint:lock correctness
	if _, err := c.ExecContext(ctx, db.Rebind(`SELECT pg_advisory_lock(?)`), 7); err != nil {
		return err
	}
	defer c.ExecContext(context.WithoutCancel(ctx), db.Rebind(`SELECT pg_advisory_unlock(?)`), 7)
	_, err = c.ExecContext(ctx, `DELETE FROM pinned WHERE expired`)
	return err
}
