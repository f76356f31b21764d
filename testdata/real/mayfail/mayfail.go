// Package mayfail has functions that end with what another one says, which may be nothing.
package mayfail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type job struct {
	db    *sql.DB
	mu    *concurrency.Mutex
	epoch int64
}

func (j *job) lock(ctx context.Context, s *concurrency.Session) error {
	j.mu = concurrency.NewMutex(s, "/locks/mill")
	//fencelint:lock correctness
	return j.mu.Lock(ctx)
}

// note keeps the epoch on some ways on which it says nothing.
func (j *job) note(ctx context.Context, again bool) error {
	if again {
		j.epoch = j.mu.Header().Revision
	}
	return j.db.PingContext(ctx)
}

// noteOrFail keeps it, or says that it did not.
func (j *job) noteOrFail(ctx context.Context) error {
	if err := j.db.PingContext(ctx); err != nil {
		return fmt.Errorf("not there: %w", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := j.known(); err != nil {
		return err
	}
	j.epoch = j.mu.Header().Revision
	return nil
}

func (j *job) known() error {
	if j.mu == nil {
		return errStale
	}
	return nil
}

func (j *job) grind(ctx context.Context) error {
	res, err := j.db.ExecContext(ctx, "UPDATE mills SET turns = turns + 1, epoch = $1 WHERE id = 1 AND epoch < $1", j.epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}

// Good has the epoch of its own lock.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	j := &job{db: db}
	if err := j.lock(ctx, s); err != nil {
		return err
	}
	defer j.mu.Unlock(context.WithoutCancel(ctx))
	if err := j.noteOrFail(ctx); err != nil {
		return err
	}
	return j.grind(ctx)
}

// Bad may have the time in the place of the epoch.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB, j *job, again bool) error {
	if err := j.lock(ctx, s); err != nil {
		return err
	}
	defer j.mu.Unlock(context.WithoutCancel(ctx))
	j.epoch = time.Now().UnixNano()
	if err := j.note(ctx, again); err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, "UPDATE mills SET turns = turns + 1, epoch = $1 WHERE id = 1 AND epoch < $1", j.epoch) // want "clocktoken"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
