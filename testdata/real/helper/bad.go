// Package helper writes in functions that know nothing of the lock.
package helper

import (
	"context"
	"database/sql"

	"fencelint.example/real/helper/rows"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadHelper writes two calls down, in this package.
func BadHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/bell")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return ring(ctx, db, id) // want "unfencedwrite"
}

func ring(ctx context.Context, db *sql.DB, id int64) error { return strike(ctx, db, id, 3) }

func strike(ctx context.Context, db *sql.DB, id int64, times int) error {
	_, err := db.ExecContext(ctx, `UPDATE bells_plain SET rung = rung + $2 WHERE id = $1`, id, times)
	return err
}

// BadElsewhere writes in another package.
func BadElsewhere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/gong")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := rows.Touch(ctx, db, id); err != nil { // want "unfencedwrite"
		return err
	}
	return nil
}

// BadSecond has a first helper that compares and a second one that does not.
func BadSecond(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/chime")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := rows.Move(ctx, db, "chimes_half", id, mu.Header().Revision); err != nil {
		return err
	}
	return wind(ctx, db, id) // want "unfencedwrite"
}

func wind(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE springs_plain SET wound = true WHERE id = $1`, id)
	return err
}

// BadShared is one of two that use the same helper; the other one holds no lock.
func BadShared(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/horn")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return Blow(ctx, db, id) // want "unfencedwrite"
}

// Blow is called with and without a lock.
func Blow(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE horns_plain SET blown = true WHERE id = $1`, id)
	return err
}

// BadRecursive writes in a function that calls itself.
func BadRecursive(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/tree")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return prune(ctx, db, id, 8) // want "unfencedwrite"
}

func prune(ctx context.Context, db *sql.DB, id int64, depth int) error {
	if depth == 0 {
		return nil
	}
	if err := prune(ctx, db, 2*id, depth-1); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `DELETE FROM leaves_plain WHERE id = $1`, id); err != nil {
		return err
	}
	return prune(ctx, db, 2*id+1, depth-1)
}
