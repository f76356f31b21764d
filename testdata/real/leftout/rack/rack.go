// Package rack keeps the guard of its statements in fields that others cannot set.
package rack

import (
	"context"
	"database/sql"
	"errors"
)

var errStale = errors.New("a newer owner was there")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Rack writes the rows of a table.
type Rack struct{ name, guard string }

// Plain has no guard.
func Plain(name string) *Rack { return &Rack{name: name} }

// Guarded has one.
func Guarded(name string) *Rack { return &Rack{name: name, guard: " AND fence < $2"} }

// Put writes a row.
func (r *Rack) Put(ctx context.Context, db *sql.DB, id, fence int64) error {
	return one(db.ExecContext(ctx, "UPDATE "+r.name+" SET n = n + 1, fence = $2 WHERE id = $1"+r.guard, id, fence))
}

type write struct {
	guard string
	fence int64
}

// Option says how a row is written.
type Option func(*write)

// Newer compares.
func Newer(fence int64) Option {
	return func(w *write) { w.guard, w.fence = " AND fence < $2", fence }
}

// Stamp compares nothing.
func Stamp(fence int64) Option { return func(w *write) { w.fence = fence } }

// Put writes a row as the options say.
func Put(ctx context.Context, db *sql.DB, table string, id int64, opts ...Option) error {
	var w write
	for _, o := range opts {
		o(&w)
	}
	return one(db.ExecContext(ctx, "UPDATE "+table+" SET n = n + 1, fence = $2 WHERE id = $1"+w.guard, id, w.fence))
}
