package leasemap

import (
	"context"
	"database/sql"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Crew keeps its locks in a map that needs no mutex.
type Crew struct {
	db      *sql.DB
	session *concurrency.Session
	held    sync.Map // *concurrency.Mutex by name
}

// Take acquires a lock that lasts until Drop.
func (c *Crew) Take(ctx context.Context, name string) error {
	m := concurrency.NewMutex(c.session, "/crew/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	c.held.Store(name, m)
	return nil
}

// Drop gives it back.
func (c *Crew) Drop(ctx context.Context, name string) error {
	v, ok := c.held.LoadAndDelete(name)
	if !ok {
		return nil
	}
	return v.(*concurrency.Mutex).Unlock(ctx)
}

// Write writes where the lock is kept.
func (c *Crew) Write(ctx context.Context, name string) error {
	if _, ok := c.held.Load(name); !ok {
		return nil
	}
	_, err := c.db.ExecContext(ctx, "UPDATE crews SET at = now() WHERE name = $1", name) // want "checknotfence"
	return err
}
