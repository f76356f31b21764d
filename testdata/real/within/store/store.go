// Package store keeps berths; how it writes them is its own business.
package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("stale owner")

// Berths is a store.
type Berths struct {
	db    *sqlx.DB
	table string
	take  *sqlx.Stmt
	clear *sql.Stmt
	other map[string]string
}

// Open prepares the statements.
func Open(db *sqlx.DB) (*Berths, error) {
	take, err := db.Preparex(`UPDATE berths SET taken = true, last_fence = $2 WHERE id = $1 AND last_fence < $2`)
	if err != nil {
		return nil, err
	}
	clearing, err := db.Prepare(`UPDATE moorings SET taken = false, last_fence = $2 WHERE id = $1 AND last_fence <= $2`)
	if err != nil {
		return nil, err
	}
	return &Berths{db: db, table: "quays", take: take, clear: clearing, other: map[string]string{
		"dock": `UPDATE docks SET full = true, last_fence = $2 WHERE id = $1 AND last_fence < $2`,
	}}, nil
}

// Take and Clear use prepared statements.
func (b *Berths) Take(ctx context.Context, id, fence int64) error {
	return done(b.take.ExecContext(ctx, id, fence))
}

// Clear is Take backwards.
func (b *Berths) Clear(ctx context.Context, id, fence int64) error {
	return done(b.clear.ExecContext(ctx, id, fence))
}

type berth struct {
	ID    int64  `db:"id"`
	Name  string `db:"name"`
	Fence int64  `db:"last_fence"`
}

// Name and Paint bind the fields of a record by their tags.
func (b *Berths) Name(ctx context.Context, id, fence int64, name string) error {
	return done(b.db.NamedExecContext(ctx,
		`UPDATE names SET name = :name, last_fence = :last_fence WHERE id = :id AND last_fence < :last_fence`,
		berth{ID: id, Name: name, Fence: fence}))
}

// Paint forgets the number.
func (b *Berths) Paint(ctx context.Context, id int64, color string) error {
	type coat struct {
		ID    int64  `db:"id"`
		Color string `db:"color"`
		Fence int64  `db:"last_fence"`
	}
	return done(b.db.NamedExecContext(ctx,
		`UPDATE coats SET color = :color, last_fence = :last_fence WHERE id = :id AND last_fence < :last_fence`,
		coat{ID: id, Color: color}))
}

// Board has the record in a function.
func (b *Berths) Board(ctx context.Context, id, fence int64) error {
	type board struct {
		ID    int64 `db:"id"`
		Fence int64 `db:"last_fence"`
	}
	return done(b.db.NamedExecContext(ctx,
		`UPDATE boards SET up = true, last_fence = :last_fence WHERE id = :id AND last_fence < :last_fence`,
		&board{ID: id, Fence: fence}))
}

type row struct {
	ID    int64 `db:"id"`
	Fence int64 `db:"last_fence"`
}

// Slip has the number in a part of it.
type Slip struct {
	row
	Name string `db:"name"`
}

// NewSlip makes one.
func NewSlip(id, fence int64, name string) Slip { return Slip{row{id, fence}, name} }

// Rent binds the fields of a part like its own.
func (b *Berths) Rent(ctx context.Context, s Slip) error {
	return done(b.db.NamedExecContext(ctx,
		`UPDATE slips SET name = :name, last_fence = :last_fence WHERE id = :id AND last_fence < :last_fence`, s))
}

// Dock finds its statement in a map.
func (b *Berths) Dock(ctx context.Context, id, fence int64) error {
	return done(b.db.ExecContext(ctx, b.other["dock"], id, fence))
}

func done(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ErrStale
	}
	return err
}
