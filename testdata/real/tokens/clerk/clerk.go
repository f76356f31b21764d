// Package clerk writes with a token that is brought to it.
package clerk

import (
	"context"
	"database/sql"
	"errors"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

// Source gives the token of the work under way.
type Source func(ctx context.Context) (int64, error)

// Clerk writes.
type Clerk struct {
	DB    *sql.DB
	Token Source
}

// Book asks for the token and compares it.
func Book(ctx context.Context, db *sql.DB, id int64, token func(context.Context) (int64, error)) error {
	t, err := token(ctx)
	if err != nil {
		return err
	}
	return Write(ctx, db, id, t)
}

// Post asks the source that it was made with.
func (c *Clerk) Post(ctx context.Context, id int64) error {
	t, err := c.Token(ctx)
	if err != nil {
		return err
	}
	return Write(ctx, c.DB, id, t)
}

// Write compares and stores the token.
func Write(ctx context.Context, db *sql.DB, id, token int64) error {
	return One(db.ExecContext(ctx, `UPDATE ledgers SET booked = true, fence = $2 WHERE id = $1 AND fence < $2`, id, token))
}

// One fails unless a row was changed.
func One(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	return nil
}
