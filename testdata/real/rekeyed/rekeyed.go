// Package rekeyed inserts what is there only once, and then gives the row another key, or
// another state.
package rekeyed

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Cursor lists what is to be read from where.
type Cursor struct {
	DB    *sql.DB
	Mutex *concurrency.Mutex
}

// BadKey begins anew, although the row went on: its key is free again.
func (c *Cursor) BadKey(ctx context.Context, from string) error {
	//fencelint:lock correctness
	if err := c.Mutex.Lock(ctx); err != nil {
		return err
	}
	defer c.Mutex.Unlock(context.WithoutCancel(ctx))
	_, err := c.DB.ExecContext(ctx, `INSERT INTO cursors (name, position) VALUES ('harvest', $1) ON CONFLICT (name, position) DO NOTHING`, from) // want "unfencedwrite"
	return err
}

// Advance moves a cursor.
func (c *Cursor) Advance(ctx context.Context, id int64, to string) error {
	_, err := c.DB.ExecContext(ctx, `UPDATE cursors SET position = $2 WHERE id = $1`, id, to)
	return err
}

// GoodState begins once: what happens to the row later leaves its key.
func (c *Cursor) GoodState(ctx context.Context, field string) error {
	//fencelint:lock correctness
	if err := c.Mutex.Lock(ctx); err != nil {
		return err
	}
	defer c.Mutex.Unlock(context.WithoutCancel(ctx))
	_, err := c.DB.ExecContext(ctx, `INSERT INTO sowings (field, state) VALUES ($1, 'new') ON CONFLICT (field) DO NOTHING`, field)
	return err
}

// Done ends a sowing.
func (c *Cursor) Done(ctx context.Context, field string) error {
	_, err := c.DB.ExecContext(ctx, `UPDATE sowings SET state = 'done' WHERE field = $1`, field)
	return err
}
