// Command handedlock brings the number of its writes from outside the function that
// takes the lock, which it knows as an interface.
package main // want "unprovedwrite"

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Locker is a lock.
type Locker interface {
	Lock(ctx context.Context) error
	Unlock(ctx context.Context) error
}

type etcdLock struct{ m *concurrency.Mutex }

func (l *etcdLock) Lock(ctx context.Context) error   { return l.m.Lock(ctx) }
func (l *etcdLock) Unlock(ctx context.Context) error { return l.m.Unlock(ctx) }

type desk struct {
	//fencelint:lock correctness
	lock Locker
	db   *sql.DB
}

func (d *desk) save(ctx context.Context, id, number int64) error {
	if err := d.lock.Lock(ctx); err != nil {
		return err
	}
	defer d.lock.Unlock(ctx)
	res, err := d.db.ExecContext(ctx, "UPDATE memo SET body = 'x', last_fence = $2 WHERE id = $1 AND last_fence < $2", id, number)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.New("stale")
	}
	return nil
}

func (d *desk) saveNow(ctx context.Context, id int64) error {
	return d.save(ctx, id, time.Now().UnixNano())
}

// Shelf keeps memos; whoever calls it brings the number.
type Shelf interface {
	Put(ctx context.Context, id, number int64) error
}

type table struct{ db *sql.DB }

func (t table) Put(ctx context.Context, id, number int64) error {
	res, err := t.db.ExecContext(ctx, "UPDATE memo SET body = 'y', last_fence = $2 WHERE id = $1 AND last_fence < $2", id, number)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.New("stale")
	}
	return nil
}

// Clerk has the lock in hand and the store behind an interface.
type Clerk struct{ Shelf Shelf }

func (c *Clerk) put(ctx context.Context, s *concurrency.Session, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return c.Shelf.Put(ctx, id, mu.Header().Revision)
}

func (c *Clerk) putNumber(ctx context.Context, s *concurrency.Session, id, number int64) error {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return c.Shelf.Put(ctx, id, number)
}

func shelve(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	c := &Clerk{Shelf: table{db}}
	if err := c.put(ctx, s, 1); err != nil {
		return err
	}
	return c.putNumber(ctx, s, 1, time.Now().UnixNano()) // want "clocktoken"
}

// CounterStore is no counter of the program's own: it is kept elsewhere.
type CounterStore interface {
	Increment(ctx context.Context, id string) bool
	Size() int64
}

// Logger is no receiver of effects.
type Logger interface{ Info(text string) }

type plant struct {
	counters CounterStore
	log      Logger
}

func (p *plant) count(ctx context.Context, s *concurrency.Session) bool {
	mu := concurrency.NewMutex(s, "/locks/count")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return false
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	p.log.Info("counting")
	return p.counters.Size() > 0 && p.counters.Increment(ctx, "x")
}

func run(ctx context.Context, s *concurrency.Session, db *sql.DB, p *plant) error {
	d := &desk{lock: &etcdLock{concurrency.NewMutex(s, "/locks/memo")}, db: db} // want "clocktoken"
	p.count(ctx, s)
	if err := shelve(ctx, s, db); err != nil {
		return err
	}
	return d.saveNow(ctx, 1)
}

func main() {
	if err := run(context.Background(), nil, nil, new(plant)); err != nil {
		panic(err)
	}
}
