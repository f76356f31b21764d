// Package syncmutex locks within the process; that is nobody's business here.
package syncmutex

import (
	"context"
	"database/sql"
	"sync"
)

// Counter counts in the database, one goroutine at a time.
type Counter struct {
	mu sync.Mutex
	rw sync.RWMutex
	db *sql.DB
}

// Add counts.
func (c *Counter) Add(ctx context.Context, id int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.db.ExecContext(ctx, `UPDATE counters SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Reset starts again.
func (c *Counter) Reset(ctx context.Context, id int64) error {
	if !c.rw.TryLock() {
		return nil
	}
	defer c.rw.Unlock()
	_, err := c.db.ExecContext(ctx, `DELETE FROM counters WHERE id = $1`, id)
	return err
}

// Lock makes Counter a sync.Locker.
func (c *Counter) Lock() { c.mu.Lock() }

// Unlock makes Counter a sync.Locker.
func (c *Counter) Unlock() { c.mu.Unlock() }

// Under runs fn under any lock of the process.
func Under(l sync.Locker, fn func() error) error {
	l.Lock()
	defer l.Unlock()
	return fn()
}

// Both does both.
func Both(ctx context.Context, c *Counter, id int64) error {
	return Under(c, func() error { return c.Reset(ctx, id) })
}
