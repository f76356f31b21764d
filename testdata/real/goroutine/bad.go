// Package goroutine writes in goroutines that end before the hold does.
package goroutine

import (
	"context"
	"database/sql"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadJoined waits for its goroutine, which trusts the lock.
func BadJoined(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/joined")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	errs := make(chan error, 1)
	go func() {
		_, err := db.ExecContext(ctx, `UPDATE boats_plain SET out = true WHERE id = $1`, id) // want "unfencedwrite"
		errs <- err
	}()
	return <-errs
}

// BadNamed starts a function that has a name.
func BadNamed(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/named")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	errs := make(chan error, 1)
	go row(ctx, db, id, errs) // want "unfencedwrite"
	return <-errs
}

func row(ctx context.Context, db *sql.DB, id int64, errs chan<- error) {
	_, err := db.ExecContext(ctx, `UPDATE oars_plain SET wet = true WHERE id = $1`, id)
	errs <- err
}

// BadGroup waits for many.
func BadGroup(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	mu := concurrency.NewMutex(s, "/locks/group")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	errs := make([]error, len(ids))
	for i, id := range ids {
		wg.Go(func() {
			_, errs[i] = db.ExecContext(ctx, `DELETE FROM buoys_plain WHERE id = $1`, id) // want "unfencedwrite"
		})
	}
	wg.Wait()
	return firstOf(errs)
}

func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
