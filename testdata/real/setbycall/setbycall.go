// Package setbycall writes only if a variable says so that a call has set: by its address,
// or in a function literal.
package setbycall

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

const (
	plain  = `UPDATE lamps SET lit = NOT lit WHERE id = $1`
	fenced = `UPDATE torches SET lit = NOT lit, fence = $2 WHERE id = $1 AND fence < $2`
)

type settings struct{ On bool }

func (s *settings) load(raw []byte) error { return json.Unmarshal(raw, s) }

func turnOn(p *bool) { *p = true }

func try(fn func() error) error { return fn() }

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Scanned asks a row that is no answer about a lock.
func Scanned(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var on bool
	if err := db.QueryRowContext(ctx, `SELECT enabled FROM switches WHERE id = $1`, id).Scan(&on); err != nil {
		return err
	}
	if !on {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// ScannedOver scans into a variable that had a value.
func ScannedOver(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	times := 0
	if err := db.QueryRowContext(ctx, `SELECT times FROM switches WHERE id = $1`, id).Scan(&times); err != nil {
		return err
	}
	if times == 0 {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// ScannedFenced does so with a write that is compared.
func ScannedFenced(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	on := false
	if err := db.QueryRowContext(ctx, `SELECT enabled FROM switches WHERE id = $1`, id).Scan(&on); err != nil {
		return err
	}
	if !on {
		return nil
	}
	return one(db.ExecContext(ctx, fenced, id, m.Header().Revision))
}

// ByAddress has its own function set it.
func ByAddress(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	on := false
	turnOn(&on)
	if !on {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// InLiteral has a literal set it that another function runs.
func InLiteral(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64, raw []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	on := false
	if err := try(func() error { on = len(raw) > 0; return nil }); err != nil {
		return err
	}
	if !on {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// InVisitor has a literal set it that the function calls by itself, in rounds.
func InVisitor(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64, raws []string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	state := "off"
	visit := func(s string) {
		if s != "" {
			state = s
		}
	}
	for _, r := range raws {
		visit(r)
	}
	if state == "off" {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// InRecord has a method set the field of a record.
func InRecord(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64, raw []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var s settings
	s.On = false
	if err := s.load(raw); err != nil {
		return err
	}
	if !s.On {
		return nil
	}
	_, err := db.ExecContext(ctx, plain, id) // want "unfencedwrite"
	return err
}

// LiteralFenced does so with a write that is compared.
func LiteralFenced(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64, raw []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	on := false
	if err := try(func() error { on = len(raw) > 0; return nil }); err != nil {
		return err
	}
	if on {
		return one(db.ExecContext(ctx, fenced, id, m.Header().Revision))
	}
	return nil
}
