// Package cycles writes in functions that call one another, and in lists of functions
// that a loop makes.
package cycles

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

func down(ctx context.Context, db *sql.DB, n int) error {
	if n == 0 {
		_, err := db.ExecContext(ctx, "UPDATE cycles SET a = 1")
		return err
	}
	return up(ctx, db, n-1)
}

func up(ctx context.Context, db *sql.DB, n int) error { return over(ctx, db, n) }

func over(ctx context.Context, db *sql.DB, n int) error { return down(ctx, db, n) }

// Bad goes round.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB, names []string) error {
	mu := concurrency.NewMutex(s, "/locks/cycles")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := up(ctx, db, 3); err != nil { // want "unfencedwrite"
		return err
	}
	if err := over(ctx, db, 3); err != nil { // want "unfencedwrite"
		return err
	}
	var steps []func() error
	for _, n := range names {
		steps = append(steps, func() error {
			_, err := db.ExecContext(ctx, "UPDATE steps SET a = $1", n) // want "unfencedwrite"
			return err
		})
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	pair := [2]func() error{func() error { return nil }, func() error {
		_, err := db.ExecContext(ctx, "UPDATE pairs SET a = 1") // want "unfencedwrite"
		return err
	}}
	for i := range pair {
		if err := pair[i](); err != nil {
			return err
		}
	}
	return nil
}
