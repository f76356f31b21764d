// Package ownbuilder has its statements put together by a small builder of its own.
package ownbuilder

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE depots SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// lock takes the lock and gives the epoch that came with it.
func lock(ctx context.Context, m *concurrency.Mutex) (int64, error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return 0, err
	}
	return m.Header().Revision, nil
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

// query is an update in the making.
type query struct {
	table string
	sets  []string
	conds []string
	args  []any
}

func update(table string) *query { return &query{table: table} }

func (q *query) arg(v any) string {
	q.args = append(q.args, v)
	return fmt.Sprintf("$%d", len(q.args))
}

func (q *query) set(column string, v any) *query {
	q.sets = append(q.sets, column+" = "+q.arg(v))
	return q
}

func (q *query) where(column, op string, v any) *query {
	q.conds = append(q.conds, column+" "+op+" "+q.arg(v))
	return q
}

func (q *query) sql() string {
	return "UPDATE " + q.table + " SET " + strings.Join(q.sets, ", ") + " WHERE " + strings.Join(q.conds, " AND ")
}

func (q *query) send(ctx context.Context, db *sql.DB) error {
	return changed(db.ExecContext(ctx, q.sql(), q.args...))
}

// kind tells which statement is wanted.
type kind int

const (
	fenced kind = iota
	stored
	named
)

func statement(k kind) string {
	switch k {
	case fenced:
		return "UPDATE stocks SET load = 4, fence = $1 WHERE id = 7 AND fence < $1"
	case named, stored:
		return "UPDATE stocks SET load = 4, fence = $1 WHERE id = 7"
	}
	panic("no such statement")
}

func guarded(table string, strict bool) string {
	op := "<="
	if strict {
		op = "<"
	}
	return "UPDATE " + table + " SET load = 4, fence = $1 WHERE id = 7 AND fence " + op + " $1"
}

// Chained compares in a condition of the chain.
func Chained(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return update("depots").set("load", 3).set("fence", epoch).where("id", "=", 7).where("fence", "<", epoch).send(ctx, db)
}

// ChainedOpen has no condition on the epoch.
func ChainedOpen(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return update("depots").set("load", 3).set("fence", epoch).where("id", "=", 7).send(ctx, db) // want "tokennotcompared"
}

// ChainedEqual lets the same epoch in.
func ChainedEqual(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return update("depots").set("load", 3).set("fence", epoch).where("id", "=", 7).where("fence", "<=", epoch).send(ctx, db) // want "equaladmitted"
}

// InSteps puts it together step by step.
func InSteps(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	q := update("depots")
	q.set("load", 3).set("fence", epoch)
	q.where("id", "=", 7)
	q.where("fence", "<", epoch)
	return q.send(ctx, db)
}

// Chosen asks for the statement that compares.
func Chosen(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, statement(fenced), epoch))
}

// ChosenOpen asks for the one that only stores.
func ChosenOpen(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, statement(stored), epoch)) // want "tokennotcompared"
}

// Strict asks for the strict comparison.
func Strict(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, guarded("stocks", true), epoch))
}

// Loose asks for the other one.
func Loose(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, guarded("stocks", false), epoch)) // want "equaladmitted"
}

// Plain writes as it is.
func Plain(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return write(ctx, db, epoch)
}
