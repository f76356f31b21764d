// Package wrapper takes its locks through functions that return them.
package wrapper

import (
	"context"
	"database/sql"

	"fencelint.example/real/wrapper/locks"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// acquire returns a mutex that is locked.
func acquire(ctx context.Context, s *concurrency.Session, key string) (*concurrency.Mutex, error) {
	mu := concurrency.NewMutex(s, key)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return nil, err
	}
	return mu, nil
}

// BadReturned writes under a mutex that a function of this package has locked.
func BadReturned(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := acquire(ctx, s, "/locks/door")
	if err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err = db.ExecContext(ctx, `UPDATE doors_plain SET open = true WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// BadUnlocker has only the function that unlocks.
func BadUnlocker(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	unlock, err := locks.Take(ctx, s, "/locks/gate")
	if err != nil {
		return err
	}
	defer unlock()
	_, err = db.ExecContext(ctx, `UPDATE gates_plain SET open = true WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// BadHandle has a handle of another package.
func BadHandle(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	h, err := locks.Hold(ctx, s, "/locks/hatch")
	if err != nil {
		return err
	}
	defer h.Release(context.WithoutCancel(ctx))
	return shut(ctx, db, id) // want "unfencedwrite"
}

func shut(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE hatches_plain SET open = false WHERE id = $1`, id)
	return err
}
