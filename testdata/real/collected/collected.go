// Package collected starts goroutines and keeps what they answer.
package collected

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// forgot collects and never looks.
func forgot(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/forgot")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	var wg sync.WaitGroup
	errs := make([]error, len(ids))
	for i, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = pour(ctx, db, id, rev) // want "rejectionignored"
		}()
	}
	wg.Wait()
	return nil
}

// ranged looks at each error.
func ranged(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/range")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	var wg sync.WaitGroup
	errs := make([]error, len(ids))
	for i, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = pour(ctx, db, id, rev)
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// keeps the first error under a mutex.
func keeps(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/append")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := pour(ctx, db, id, rev); err != nil {
				mu.Lock()
				if first == nil {
					first = err
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return first
}

// onlyOnce keeps the first error by a sync.Once.
func onlyOnce(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/once")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := pour(ctx, db, id, rev); err != nil {
				once.Do(func() { first = err })
			}
		}()
	}
	wg.Wait()
	return first
}

// appended appends under a mutex.
func appended(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/append2")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for _, id := range ids {
		wg.Add(1)
		go func(id int64) {
			defer wg.Done()
			if err := pour(ctx, db, id, rev); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		}(id)
	}
	wg.Wait()
	return errors.Join(errs...)
}

// channel takes as many answers as it has started goroutines.
func channel(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/append3")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	errs := make(chan error, len(ids))
	for _, id := range ids {
		go func() { errs <- pour(ctx, db, id, rev) }()
	}
	var all error
	for range ids {
		all = errors.Join(all, <-errs)
	}
	return all
}

var errStale = errors.New("a newer owner was there")

func pour(ctx context.Context, db *sql.DB, id, fence int64) error {
	res, err := db.ExecContext(ctx, `UPDATE flasks SET full = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// unheard takes no answer at all: the lock is given back while its goroutines write.
func unheard(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/unheard")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	errs := make(chan error, len(ids))
	for _, id := range ids {
		go func() { errs <- pour(ctx, db, id, rev) }() // want "outliveshold"
	}
	return nil
}

// unread waits for its goroutines, and receives none of their errors.
func unread(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/fg/unread")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	errs := make(chan error, len(ids))
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- pour(ctx, db, id, rev) // want "rejectionignored"
		}()
	}
	wg.Wait()
	return nil
}
