package ent

import "context"

// LockClient begins statements about locks.
type LockClient struct{ config }

// Create inserts a lock.
func (c *LockClient) Create() *LockCreate { return &LockCreate{config: c.config} }

// Delete deletes locks.
func (c *LockClient) Delete() *LockDelete { return &LockDelete{config: c.config} }

// LockCreate inserts a lock.
type LockCreate struct {
	config
	name string
}

// SetName sets the name, which is unique.
func (c *LockCreate) SetName(v string) *LockCreate {
	c.name = v
	return c
}

// Exec inserts it.
func (c *LockCreate) Exec(ctx context.Context) error {
	return c.driver.Exec(ctx, "INSERT INTO locks (name) VALUES (?)", []any{c.name}, nil)
}

// LockDelete deletes locks.
type LockDelete struct{ config }

// Exec deletes them.
func (d *LockDelete) Exec(ctx context.Context) (int, error) {
	return 0, d.driver.Exec(ctx, "DELETE FROM locks", []any{}, nil)
}
