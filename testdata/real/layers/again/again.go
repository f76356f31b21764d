// Package again tries to get a lock several times.
//
//fencelint:lock efficiency
package again

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errTaken = errors.New("taken")

// Take tries once, and then some more.
func Take(ctx context.Context, mu *concurrency.Mutex) error {
	err := mu.TryLock(ctx) // taken
	if err == nil {
		return nil
	}
	for range 3 {
		time.Sleep(time.Second)
		if err := mu.TryLock(ctx); err == nil {
			return nil
		}
	}
	return errTaken
}

// Two takes a lock, gives it back, and takes it once more to keep it.
func Two(ctx context.Context, mu *concurrency.Mutex) error {
	if err := mu.Lock(ctx); err != nil { // taken
		return err
	}
	if err := mu.Unlock(ctx); err != nil {
		return err
	}
	return mu.Lock(ctx) // taken
}

// Either takes the lock of a room or, where there is none, that of the house.
func Either(ctx context.Context, tx *sql.Tx, room, house int64) error {
	var ok bool
	err := tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock(id) FROM rooms WHERE id = $1`, room).Scan(&ok) // taken
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock($1)`, house).Scan(&ok) // taken
	}
	if err == nil && !ok {
		return errTaken
	}
	return err
}
