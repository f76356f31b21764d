// Package toldinlit notes in a function literal that a statement was refused, and asks for it
// where the literal was handed on.
package toldinlit

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"time"

	"github.com/bsm/redislock"
	_ "github.com/jackc/pgx/v5/stdlib"
)

type job struct {
	locks  *redislock.Client
	db     *sql.DB
	failed bool
}

func open() (*sql.DB, error) { return sql.Open("pgx", "") }

func timed(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}

func (j *job) lock(ctx context.Context) (*redislock.Lock, error) {
	//fencelint:lock correctness
	return j.locks.Obtain(ctx, "job", time.Minute, nil)
}

func (j *job) done(ctx context.Context) error {
	_, err := j.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
	return err
}

const raise = "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1"

func (j *job) inVariable(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	failed := false
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version)
		if err != nil {
			failed = true
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			failed = true
		}
	})
	if failed {
		return errors.New("somebody else was faster")
	}
	return j.done(ctx)
}

func (j *job) inField(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	j.failed = false
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version)
		if err != nil {
			j.failed = true
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			j.failed = true
		}
	})
	if j.failed {
		return errors.New("somebody else was faster")
	}
	return j.done(ctx)
}

func (j *job) inError(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	var lost error
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version)
		if err != nil {
			lost = err
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			lost = errors.New("somebody else was faster")
		}
	})
	if lost != nil {
		return lost
	}
	return j.done(ctx)
}

// The answer is asked for too late.
func (j *job) late(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	failed := false
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version) // want "rejectionignored"
		if err != nil {
			failed = true
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			failed = true
		}
	})
	if err := j.done(ctx); err != nil {
		return err
	}
	if failed {
		return errors.New("somebody else was faster")
	}
	return nil
}

// Nobody asks.
func (j *job) unasked(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version) // want "rejectionignored"
		if err != nil {
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			j.failed = true
		}
	})
	return j.done(ctx)
}

// It is only printed.
func (j *job) printed(ctx context.Context, version int64) error {
	l, err := j.lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	failed := false
	timed(func() {
		res, err := j.db.ExecContext(ctx, raise, version) // want "rejectionignored"
		if err != nil {
			return
		}
		if n, _ := res.RowsAffected(); n == 0 {
			failed = true
		}
	})
	log.Println("failed", failed)
	return nil
}
