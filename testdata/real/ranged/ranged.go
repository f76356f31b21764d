// Package ranged writes in functions over which a loop ranges.
package ranged

import (
	"context"
	"database/sql"
	"errors"
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

var errStale = errors.New("a newer owner was there")

func moves(ctx context.Context, db *sql.DB, epoch int64) iter.Seq[error] {
	return func(yield func(error) bool) {
		res, err := db.ExecContext(ctx, "UPDATE moves SET n = n + 1, epoch = $1 WHERE id = 1 AND epoch < $1", epoch)
		if err != nil {
			yield(err)
			return
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			yield(errors.Join(errStale, err))
		}
	}
}

// Good compares the epoch, and the loop hears of a refusal.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/ranged")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	for err := range moves(ctx, db, mu.Header().Revision) {
		return err
	}
	return nil
}
