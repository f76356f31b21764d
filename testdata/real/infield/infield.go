// Package infield keeps what a leader does in fields.
package infield

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type callbacks struct {
	onElected func(ctx context.Context, epoch int64) error
}

type leader struct {
	session *concurrency.Session
	cb      callbacks
}

func (l *leader) run(ctx context.Context) error {
	e := concurrency.NewElection(l.session, "/infield")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	return l.cb.onElected(ctx, e.Rev())
}

// Good compares the number that it is told.
func Good(s *concurrency.Session, db *sql.DB) *leader {
	return &leader{session: s, cb: callbacks{onElected: func(ctx context.Context, epoch int64) error {
		res, err := db.ExecContext(ctx, `UPDATE elected SET x = x + 1, epoch = $1 WHERE id = 1 AND epoch < $1`, epoch)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errStale, err)
		}
		return nil
	}}}
}

// BadLiteral compares nothing.
func BadLiteral(s *concurrency.Session, db *sql.DB) *leader {
	return &leader{session: s, cb: callbacks{onElected: func(ctx context.Context, epoch int64) error {
		_, err := db.ExecContext(ctx, `UPDATE elected_plain SET x = x + 1 WHERE id = 1`) // want "unfencedwrite"
		return err
	}}}
}

type worker struct{ db *sql.DB }

func (w worker) run(ctx context.Context, epoch int64) error {
	_, err := w.db.ExecContext(ctx, `UPDATE worked_plain SET x = x + 1 WHERE id = 1`)
	return err
}

// BadMethod registers a method that compares nothing.
func BadMethod(s *concurrency.Session, db *sql.DB) *leader {
	l := &leader{session: s}
	l.cb.onElected = worker{db}.run // want "unfencedwrite"
	return l
}
