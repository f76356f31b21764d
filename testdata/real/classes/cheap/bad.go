// Package cheap has cheap locks, unless something nearer to the lock says otherwise. In
// each function below the nearest directive says that the lock is dear.
//
//fencelint:lock efficiency reason="most of this package only saves work"
package cheap

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadFunction has a class on the function, which is nearer than the package.
//
//fencelint:lock correctness
func BadFunction(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/cheap/function")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k1_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// Dear is a lock that is always dear.
//
//fencelint:lock correctness
type Dear struct{ *concurrency.Mutex }

// BadType has a class on the type of the lock, which is nearer than the function.
//
//fencelint:lock efficiency
func BadType(ctx context.Context, d Dear, db *sql.DB, id int64) error {
	if err := d.Lock(ctx); err != nil {
		return err
	}
	defer d.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k2_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// Gate has a method that locks.
type Gate struct{ mu *concurrency.Mutex }

// Enter has a class on the method.
//
//fencelint:lock correctness
func (g *Gate) Enter(ctx context.Context) error { return g.mu.Lock(ctx) }

// Leave unlocks.
func (g *Gate) Leave(ctx context.Context) error { return g.mu.Unlock(ctx) }

// BadMethod calls a method with a class, which is nearer than the function that calls.
//
//fencelint:lock efficiency
func BadMethod(ctx context.Context, g *Gate, db *sql.DB, id int64) error {
	if err := g.Enter(ctx); err != nil {
		return err
	}
	defer g.Leave(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k3_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// Post has a lock in a field.
type Post struct {
	//fencelint:lock correctness
	mu *concurrency.Mutex
}

// BadField has a class on the field, which is nearer than the function.
//
//fencelint:lock efficiency
func BadField(ctx context.Context, p *Post, db *sql.DB, id int64) error {
	if err := p.mu.Lock(ctx); err != nil {
		return err
	}
	defer p.mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k4_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// BadVariable has a class where the lock is made, which is nearer than the function.
//
//fencelint:lock efficiency
func BadVariable(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	mu := concurrency.NewMutex(s, "/cheap/variable")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k5_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// BadStatement has a class on the statement, which is nearest of all.
//
//fencelint:lock efficiency
func BadStatement(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	//fencelint:lock efficiency
	mu := concurrency.NewMutex(s, "/cheap/statement")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k6_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}
