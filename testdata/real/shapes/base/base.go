// Package base has two stores to build others on.
package base

import (
	"context"
	"database/sql"
	"errors"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

// Plain takes every write.
type Plain struct{ DB *sql.DB }

// Put writes.
func (p *Plain) Put(ctx context.Context, id int64) error {
	_, err := p.DB.ExecContext(ctx, `UPDATE stones_plain SET put = true WHERE id = $1`, id)
	return err
}

// Fenced takes only writes of the newest owner.
type Fenced struct{ DB *sql.DB }

// Put writes unless a newer owner was there.
func (f Fenced) Put(ctx context.Context, id, fence int64) error {
	res, err := f.DB.ExecContext(ctx, `UPDATE stones SET put = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	return nil
}
