// Package generated has the code that puts its parts together written by a program: what
// is wrong with a write stands where a person has written the call.
package generated

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Notes are kept under a lock of their own.
type Notes interface {
	LockNote(ctx context.Context, name string) (*concurrency.Mutex, error)
	Put(ctx context.Context, name, text string) error
}

type table struct {
	session *concurrency.Session
	db      *sql.DB
}

func newTable(s *concurrency.Session, db *sql.DB) *table { return &table{s, db} }

// LockNote takes the lock of a note.
func (t *table) LockNote(ctx context.Context, name string) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(t.session, "/notes/"+name)
	//fencelint:lock correctness
	return m, m.Lock(ctx)
}

// Put stores a note.
func (t *table) Put(ctx context.Context, name, text string) error {
	_, err := t.db.ExecContext(ctx, `UPDATE notes SET text = $2 WHERE name = $1`, name, text)
	return err
}

// Desk keeps notes.
type Desk struct{ Notes Notes }

// Keep stores a note under its lock.
func (d *Desk) Keep(ctx context.Context, name, text string) error {
	m, err := d.Notes.LockNote(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	return d.Notes.Put(ctx, name, text) // want "unfencedwrite"
}
