// Package madelists makes texts of lists that are known where the functions are called.
package madelists

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path"
	"strings"

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

func where(parts ...string) string {
	if len(parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(parts, " AND ")
}

// GoodWhere gives two conditions.
func GoodWhere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/where")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return one(db.ExecContext(ctx, `UPDATE wheres SET n = n + 1, fence = ?`+where("id = ?", "fence < ?"), rev, id, rev))
}

// BadWhere gives none.
func BadWhere(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/locks/nowhere")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(db.ExecContext(ctx, `UPDATE nowheres SET n = n + 1, fence = ?`+where(), m.Header().Revision)) // want "tokennotcompared"
}

func upsert(table, key string, cols ...string) string {
	all := append([]string{key, "fence"}, cols...)
	set := make([]string, 0, len(all))
	for _, c := range all[1:] {
		set = append(set, fmt.Sprintf("%[1]s = excluded.%[1]s", c))
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s WHERE %[1]s.fence < excluded.fence",
		table, strings.Join(all, ", "), strings.TrimSuffix(strings.Repeat("?, ", len(all)), ", "), key, strings.Join(set, ", "))
}

var putQuote = upsert("quotes", "symbol", "bid", "ask")

// GoodUpsert gives the arguments in the order of the columns.
func GoodUpsert(ctx context.Context, s *concurrency.Session, db *sql.DB, symbol string, bid, ask int64) error {
	m := concurrency.NewMutex(s, "/locks/quotes")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(db.ExecContext(ctx, putQuote, symbol, m.Header().Revision, bid, ask))
}

var putTrade = upsert("trades", "id", "price")

// BadUpsert gives them in another order: the price is taken for the epoch.
func BadUpsert(ctx context.Context, s *concurrency.Session, db *sql.DB, id, price int64) error {
	m := concurrency.NewMutex(s, "/locks/trades")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(db.ExecContext(ctx, putTrade, id, price, m.Header().Revision)) // want "unfencedwrite|staleadmitted|tokennotcompared|untrustedtoken|unprovedwrite"
}

type update struct {
	sets, conds []string
	args        []any
}

type option func(*update)

func (u *update) arg(v any) string {
	u.args = append(u.args, v)
	return fmt.Sprintf("$%d", len(u.args))
}

func set(col string, v any) option {
	return func(u *update) { u.sets = append(u.sets, col+" = "+u.arg(v)) }
}

func fence(n int64) option {
	return func(u *update) {
		p := u.arg(n)
		u.sets, u.conds = append(u.sets, "fence = "+p), append(u.conds, "fence < "+p)
	}
}

func run(ctx context.Context, db *sql.DB, table string, opts ...option) error {
	u := &update{}
	for _, o := range opts {
		o(u)
	}
	q := "UPDATE " + table + " SET " + strings.Join(u.sets, ", ")
	if len(u.conds) > 0 {
		q += " WHERE " + strings.Join(u.conds, " AND ")
	}
	return one(db.ExecContext(ctx, q, u.args...))
}

// GoodOptions has an option that adds the condition.
func GoodOptions(ctx context.Context, s *concurrency.Session, db *sql.DB, name string) error {
	m := concurrency.NewMutex(s, "/locks/options")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return run(ctx, db, "opted", set("name", name), fence(m.Header().Revision))
}

// BadOptions has none.
func BadOptions(ctx context.Context, s *concurrency.Session, db *sql.DB, name string) error {
	m := concurrency.NewMutex(s, "/locks/nooptions")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return run(ctx, db, "unopted", set("name", name), set("fence", m.Header().Revision)) // want "tokennotcompared"
}

//go:embed sql
var statements embed.FS

func statement(name string) string {
	b, err := statements.ReadFile(path.Join("sql", name+".sql"))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// GoodFile reads a statement from a folder of the program.
func GoodFile(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/start")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(db.ExecContext(ctx, statement("start"), id, m.Header().Revision))
}

// BadFile reads another one.
func BadFile(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/stop")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return one(db.ExecContext(ctx, statement("stop"), id, m.Header().Revision)) // want "staleadmitted"
}
