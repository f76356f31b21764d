// Package shapes reaches its writes by embedding, aliases, method values, interfaces and
// fields that hold functions.
package shapes

import (
	"context"
	"database/sql"

	"fencelint.example/real/shapes/base"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Pool is another name for a type of the library.
type Pool = sql.DB

// Mutex is another name for a type of the library.
type Mutex = concurrency.Mutex

// plainRepo has its methods from what it embeds.
type plainRepo struct {
	*base.Plain
	name string
}

// BadEmbedded calls a promoted method.
func BadEmbedded(ctx context.Context, s *concurrency.Session, r plainRepo, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/"+r.name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return r.Put(ctx, id) // want "unfencedwrite"
}

// guarded has the mutex itself inside.
type guarded struct {
	*Mutex
	db *Pool
}

// BadAlias locks through a promoted method of an alias and writes through another alias.
func BadAlias(ctx context.Context, g guarded, id int64) error {
	//fencelint:lock correctness
	if err := g.Lock(ctx); err != nil {
		return err
	}
	defer g.Unlock(context.WithoutCancel(ctx))
	_, err := g.db.ExecContext(ctx, `UPDATE tiles_plain SET laid = true WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// BadMethodValue calls a method that it has put into a variable.
func BadMethodValue(ctx context.Context, s *concurrency.Session, p *base.Plain, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/value")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	put := p.Put
	return put(ctx, id) // want "unfencedwrite"
}

// BadMethodExpression calls a method as a function of its receiver.
func BadMethodExpression(ctx context.Context, s *concurrency.Session, p *base.Plain, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/expression")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return (*base.Plain).Put(p, ctx, id) // want "unfencedwrite"
}

// BadClosure calls a closure that it made before it had the lock.
func BadClosure(ctx context.Context, s *concurrency.Session, db *Pool, id int64) error {
	write := func() error {
		_, err := db.ExecContext(ctx, `UPDATE bricks_plain SET laid = true WHERE id = $1`, id) // want "unfencedwrite"
		return err
	}
	mu := concurrency.NewMutex(s, "/locks/closure")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return write()
}

// writer is an interface with implementations in sight.
type writer interface {
	write(ctx context.Context, id int64) error
}

type plainWriter struct{ db *sql.DB }

func (w plainWriter) write(ctx context.Context, id int64) error {
	_, err := w.db.ExecContext(ctx, `UPDATE slates_plain SET laid = true WHERE id = $1`, id)
	return err
}

// BadInterface calls through an interface that is implemented in this package.
func BadInterface(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	var w writer = plainWriter{db}
	mu := concurrency.NewMutex(s, "/locks/interface")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return w.write(ctx, id) // want "unfencedwrite"
}

// execer is what *sql.DB, *sql.Tx and *sql.Conn have in common.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// BadExecer writes through an interface that has the shape of a database.
func BadExecer(ctx context.Context, s *concurrency.Session, db execer, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/execer")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE beams_plain SET laid = true WHERE id = $1`, id) // want "unfencedwrite"
	return err
}
