// Package direct has lock and write in one function.
package direct

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadUpdate trusts the lock.
func BadUpdate(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/lamp")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	_, err := db.ExecContext(ctx, `UPDATE lamps_plain SET state = $2 WHERE id = $1`, id, state) // want "unfencedwrite"
	return err
}

// BadTry gives up when the lock is taken, and trusts it otherwise.
func BadTry(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/heater")
	//fencelint:lock correctness
	if err := mu.TryLock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	_, err := db.ExecContext(ctx, `UPDATE heaters_plain SET state = $2 WHERE id = $1`, id, state) // want "unfencedwrite"
	return err
}

// BadLead trusts a leadership.
func BadLead(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, plan string) error {
	e := concurrency.NewElection(s, "/leaders/planner")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "planner"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))

	_, err := db.ExecContext(ctx, `UPDATE plans_plain SET plan = $2 WHERE id = $1`, id, plan) // want "unfencedwrite"
	return err
}

// BadDelete deletes what a newer owner may have taken into use.
func BadDelete(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	mu := concurrency.NewMutex(s, "/locks/attic")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	for _, id := range ids {
		if _, err := db.ExecContext(ctx, `DELETE FROM boxes_plain WHERE id = $1`, id); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// BadReturning reads back what it wrote, which makes the write no safer.
func BadReturning(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (stock int64, err error) {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return 0, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	row := db.QueryRowContext(ctx, `UPDATE shelves_plain SET stock = stock - 1 WHERE id = $1 RETURNING stock`, id) // want "unfencedwrite"
	err = row.Scan(&stock)
	return stock, err
}

// BadDeferred writes in a closure that runs when the function ends, still in the hold.
func BadDeferred(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (err error) {
	mu := concurrency.NewMutex(s, "/locks/tap")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer func() {
		_ = mu.Unlock(context.WithoutCancel(ctx))
	}()
	defer func() {
		_, err = db.ExecContext(ctx, `UPDATE taps_plain SET closed = true WHERE id = $1`, id) // want "unfencedwrite"
	}()
	return ctx.Err()
}

// BadPrepared runs a statement that was prepared in the hold.
func BadPrepared(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/fan")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	stmt, err := db.PrepareContext(ctx, `UPDATE fans_plain SET state = $2 WHERE id = $1`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	_, err = stmt.ExecContext(ctx, id, state) // want "unfencedwrite"
	return err
}
