// Package rows keeps numbers in tables.
package rows

import (
	"context"
	"database/sql"
	"errors"
)

var errStale = errors.New("a newer owner was there")

// Open overwrites what is there.
type Open struct{ DB *sql.DB }

// Save stores a number.
func (o *Open) Save(ctx context.Context, _ int64, n int) error {
	_, err := o.DB.ExecContext(ctx, `UPDATE numbers SET n = $1 WHERE id = 1`, n)
	return err
}

// Fenced compares the epoch.
type Fenced struct{ DB *sql.DB }

// Save stores a number, unless a newer owner was there.
func (f *Fenced) Save(ctx context.Context, epoch int64, n int) error {
	res, err := f.DB.ExecContext(ctx, `UPDATE fenced SET n = $1, epoch = $2 WHERE id = 1 AND epoch < $2`, n, epoch)
	if err != nil {
		return err
	}
	if k, err := res.RowsAffected(); err != nil || k == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Base overwrites in another table.
type Base struct{ DB *sql.DB }

// Save stores a number.
func (b *Base) Save(ctx context.Context, _ int64, n int) error {
	_, err := b.DB.ExecContext(ctx, `UPDATE bases SET n = $1 WHERE id = 1`, n)
	return err
}
