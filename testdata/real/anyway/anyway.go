// Package anyway fails after a refusal that nobody looks at, or does not.
package anyway

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

func raise(ctx context.Context, db *sql.DB, text string, epoch int64) error {
	res, err := db.ExecContext(ctx, text, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}

// Good fails anyway: whoever calls it hears that the work is not done.
func Good(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	if err := db.PingContext(ctx); err != nil {
		raise(ctx, db, "UPDATE lamps SET s = 'bad', fence = $1 WHERE fence < $1", mu.Header().Revision)
		return err
	}
	return raise(ctx, db, "UPDATE lamps SET s = 'good', fence = $1 WHERE fence < $1", mu.Header().Revision)
}

// Bad says that all is well.
func Bad(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	if err := db.PingContext(ctx); err != nil {
		raise(ctx, db, "UPDATE wicks SET s = 'bad', fence = $1 WHERE fence < $1", mu.Header().Revision) // want "rejectionignored"
		return nil
	}
	return raise(ctx, db, "UPDATE wicks SET s = 'good', fence = $1 WHERE fence < $1", mu.Header().Revision)
}

// Other returns an error that is nil.
func Other(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	err := db.PingContext(ctx)
	if err == nil {
		raise(ctx, db, "UPDATE glows SET s = 'bad', fence = $1 WHERE fence < $1", mu.Header().Revision) // want "rejectionignored"
		return err
	}
	return raise(ctx, db, "UPDATE glows SET s = 'good', fence = $1 WHERE fence < $1", mu.Header().Revision)
}

// Round asks in a loop, in which an error of the last round says nothing of this one.
func Round(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	for {
		err := db.PingContext(ctx)
		if err != nil {
			raise(ctx, db, "UPDATE suns SET s = 'bad', fence = $1 WHERE fence < $1", mu.Header().Revision) // want "rejectionignored"
			continue
		}
		return nil
	}
}

// Cleared forgets the error before it returns it.
func Cleared(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) (err error) {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	defer func() { err = errors.Join(err, ctx.Err()) }()
	if err = db.PingContext(ctx); err != nil {
		err = nil
		raise(ctx, db, "UPDATE moons SET s = 'bad', fence = $1 WHERE fence < $1", mu.Header().Revision) // want "rejectionignored"
		return err
	}
	return nil
}
