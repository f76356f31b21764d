// Package table is a store. It does not know who uses it; only its tests do.
package table

import (
	"context"
	"database/sql"

	"fencelint.example/real/testimports/kept"
)

// Prices is a table.
type Prices struct{ DB *sql.DB }

// New is the table as what it can do.
func New(db *sql.DB) kept.Store { return &Prices{DB: db} }

// Put stores a price.
func (p *Prices) Put(ctx context.Context, name string, price int64) error {
	_, err := p.DB.ExecContext(ctx, "UPDATE prices SET price = $2 WHERE name = $1", name, price)
	return err
}
