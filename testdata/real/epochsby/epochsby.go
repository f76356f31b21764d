// Package epochsby keeps the numbers of several locks in maps and lists.
package epochsby

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Each keeps the number of each lock by its name.
func Each(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	held := map[string]int64{}
	for _, n := range names {
		m := concurrency.NewMutex(s, "/a/"+n)
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return err
		}
		held[n] = m.Header().Revision
	}
	for n, rev := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE a SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, n, rev)); err != nil {
			return err
		}
	}
	return nil
}

// One keeps one number under many names.
func One(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	held := map[string]int64{}
	m := concurrency.NewMutex(s, "/b")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	for _, n := range names {
		held[n] = m.Header().Revision
	}
	for n, rev := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE b SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, n, rev)); err != nil {
			return err
		}
	}
	return nil
}

// Records keeps it in a list of records.
func Records(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	m := concurrency.NewMutex(s, "/b")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	type t struct {
		n   string
		rev int64
	}
	var held []t
	for _, n := range names {
		held = append(held, t{n, m.Header().Revision})
	}
	for _, h := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE c SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, h.n, h.rev)); err != nil {
			return err
		}
	}
	return nil
}

// List keeps the number of each lock in a list.
func List(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	var held []int64
	for _, n := range names {
		m := concurrency.NewMutex(s, "/a/"+n)
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return err
		}
		held = append(held, m.Header().Revision)
	}
	for i, rev := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE d SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, names[i], rev)); err != nil {
			return err
		}
	}
	return nil
}

// FromCaller has numbers that the caller has put there beside its own.
func FromCaller(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string, fill func(map[string]int64)) error {
	m := concurrency.NewMutex(s, "/e")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	held := map[string]int64{}
	for _, n := range names {
		held[n] = m.Header().Revision
	}
	fill(held)
	for n, rev := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE e SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, n, rev)); err != nil { // want "unprovedwrite"
			return err
		}
	}
	return nil
}

// Counted puts numbers of its own making into the map.
func Counted(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	m := concurrency.NewMutex(s, "/f")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	held := map[string]int64{}
	for i, n := range names {
		held[n] = int64(i)
	}
	for n, rev := range held {
		if err := ok(db.ExecContext(ctx, `UPDATE f SET n = n + 1, epoch = $2 WHERE name = $1 AND epoch < $2`, n, rev)); err != nil { // want "localcounter|unprovedwrite"
			return err
		}
	}
	return nil
}

func ok(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}
