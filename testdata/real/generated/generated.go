// Package generated has the code that puts its parts together written by a program: what
// is wrong with a write stands where a person has written the call.
package generated

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Locker gives out the lock.
type Locker interface {
	Mutex(name string) *concurrency.Mutex
}

// Notes are kept under the lock.
type Notes interface {
	Put(ctx context.Context, name, text string) error
}

type notes struct{ db *sql.DB }

func (n notes) Put(ctx context.Context, name, text string) error {
	_, err := n.db.ExecContext(ctx, `UPDATE notes SET text = $2 WHERE name = $1`, name, text)
	return err
}

// Desk keeps notes.
type Desk struct {
	Lock  Locker
	Notes Notes
}

// Keep stores a note under its lock.
func (d *Desk) Keep(ctx context.Context, name, text string) error {
	m := d.Lock.Mutex(name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	return d.Notes.Put(ctx, name, text) // want "unfencedwrite"
}
