// Package ranged writes in functions over which a loop ranges.
package ranged

import (
	"context"
	"database/sql"
	"iter"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type claims struct{ db *sql.DB }

func (c *claims) all(yield func(int) bool) {
	if _, err := c.db.Exec("UPDATE claims SET seen = true"); err == nil {
		yield(1)
	}
}

func numbers(ctx context.Context, db *sql.DB) iter.Seq[int] {
	return func(yield func(int) bool) {
		if _, err := db.ExecContext(ctx, "UPDATE numbers SET seen = true"); err == nil {
			yield(1)
		}
	}
}

func some() iter.Seq[int] { return func(yield func(int) bool) { yield(1) } }

// Bad ranges over what writes, and writes in a loop over what does not.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/ranged")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	c := &claims{db}
	for n := range c.all { // want "unfencedwrite"
		println(n)
	}
	for n := range numbers(ctx, db) { // want "unfencedwrite"
		println(n)
	}
	for n := range some() {
		if _, err := db.ExecContext(ctx, "UPDATE some SET n = $1", n); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}
