// Package shelf has stores that are locked and written by different methods: with a
// pointer, as the one that locks, and without. Who holds the lock is decided elsewhere.
//
//fencelint:lock correctness
package shelf

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-zookeeper/zk"
)

// ErrTaken says that another process has the lock.
var ErrTaken = errors.New("another process has the lock")

// Shelf is kept in tables.
type Shelf struct {
	db    *sql.DB
	owner string
}

const take = `INSERT INTO shelf_locks (name, owner, expires_at) VALUES ($1, $2, now() + interval '1 minute')
	ON CONFLICT (name) DO UPDATE SET owner = $2, expires_at = now() + interval '1 minute' WHERE shelf_locks.expires_at < now()`

// Lock is for the whole shelf.
func (s *Shelf) Lock(ctx context.Context, name string) error { return s.put(ctx, name) }

// RenewLock writes the same once more, which takes nothing.
func (s *Shelf) RenewLock(ctx context.Context, name string) error { return s.put(ctx, name) }

func (s *Shelf) put(ctx context.Context, name string) error {
	res, err := s.db.ExecContext(ctx, take, name, s.owner) // lock
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrTaken
	}
	return nil
}

// Unlock gives it back.
func (s *Shelf) Unlock(ctx context.Context, name string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM shelf_locks WHERE name = $1 AND owner = $2`, name, s.owner)
	return err
}

// Put has no use for the pointer.
func (s Shelf) Put(ctx context.Context, key string, data []byte) error {
	_, err := s.db.ExecContext(ctx, `UPDATE shelf SET data = $2 WHERE key = $1`, key, data) // none
	return err
}

// Box is a table of letters, each of which somebody may have.
type Box struct{ db *sql.DB }

// Take notes who has those that are free.
func (b *Box) Take(ctx context.Context, owner string) error {
	_, err := b.db.ExecContext(ctx, `UPDATE letters SET locked_by = $1, locked_at = now() WHERE state = 'new' AND locked_by IS NULL`, owner) // lock
	return err
}

// Drop gives them back.
func (b *Box) Drop(ctx context.Context, owner string) error {
	_, err := b.db.ExecContext(ctx, `UPDATE letters SET locked_by = NULL, locked_at = NULL WHERE locked_by = $1`, owner)
	return err
}

// Save is called by who has the letter: that it goes past the lock is not to be seen here.
func (b *Box) Save(ctx context.Context, id int64, body string) error {
	_, err := b.db.ExecContext(ctx, `UPDATE letters SET body = $2 WHERE id = $1`, id, body) // none
	return err
}

// Flag is a node that one function makes for the method that takes the lock and for the one
// that takes it once more: neither writes anything else.
type Flag struct {
	conn *zk.Conn
	node string
}

func (f *Flag) announce(path string) (err error) {
	f.node, err = f.conn.CreateProtectedEphemeralSequential(path, nil, zk.WorldACL(zk.PermAll))
	return err
}

// AcquireLock takes it.
func (f *Flag) AcquireLock() error { return f.announce("/flag/lock-") } // lock

// AcquireAgain takes it after a pause.
func (f *Flag) AcquireAgain() error { return f.announce("/flag/lock-") }

// ReleaseLock gives it back.
func (f *Flag) ReleaseLock() error { return f.conn.Delete(f.node, -1) }
