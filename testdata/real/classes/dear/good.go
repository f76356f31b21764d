// Package dear has dear locks, unless something nearer to the lock says otherwise. In each
// function below the nearest directive says that the lock is cheap.
//
//fencelint:lock correctness
package dear

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodFunction has a class on the function, which is nearer than the package.
//
//fencelint:lock efficiency
func GoodFunction(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/dear/function")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d1_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Cheap is a lock that is always cheap.
//
//fencelint:lock efficiency
type Cheap struct{ *concurrency.Mutex }

// GoodType has a class on the type of the lock, which is nearer than the function.
//
//fencelint:lock correctness
func GoodType(ctx context.Context, c Cheap, db *sql.DB, id int64) error {
	if err := c.Lock(ctx); err != nil {
		return err
	}
	defer c.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d2_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Gate has a method that locks.
type Gate struct{ mu *concurrency.Mutex }

// Enter has a class on the method.
//
//fencelint:lock efficiency
func (g *Gate) Enter(ctx context.Context) error { return g.mu.Lock(ctx) }

// Leave unlocks.
func (g *Gate) Leave(ctx context.Context) error { return g.mu.Unlock(ctx) }

// GoodMethod calls a method with a class, which is nearer than the function that calls.
//
//fencelint:lock correctness
func GoodMethod(ctx context.Context, g *Gate, db *sql.DB, id int64) error {
	if err := g.Enter(ctx); err != nil {
		return err
	}
	defer g.Leave(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d3_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Post has a lock in a field.
type Post struct {
	//fencelint:lock efficiency
	mu *concurrency.Mutex
}

// GoodField has a class on the field, which is nearer than the function.
//
//fencelint:lock correctness
func GoodField(ctx context.Context, p *Post, db *sql.DB, id int64) error {
	if err := p.mu.Lock(ctx); err != nil {
		return err
	}
	defer p.mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d4_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// GoodVariable has a class where the lock is made, which is nearer than the function.
//
//fencelint:lock correctness
func GoodVariable(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	//fencelint:lock efficiency
	mu := concurrency.NewMutex(s, "/dear/variable")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d5_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// GoodStatement has a class on the statement, which is nearest of all.
//
//fencelint:lock correctness
func GoodStatement(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	//fencelint:lock correctness
	mu := concurrency.NewMutex(s, "/dear/statement")
	//fencelint:lock efficiency
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE d6_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}
