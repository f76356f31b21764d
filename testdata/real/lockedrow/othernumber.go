package lockedrow

import (
	"context"
	"database/sql"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// raise compares a number under a row lock, and stores it.
func raise(ctx context.Context, db *sql.DB, term int64) error {
	return in(ctx, db, func(t *sql.Tx) error {
		var cur int64
		if err := t.QueryRowContext(ctx, "SELECT term FROM sluices WHERE id = 1 FOR UPDATE").Scan(&cur); err != nil {
			return err
		}
		if cur >= term {
			return errStale
		}
		_, err := t.ExecContext(ctx, "UPDATE sluices SET open = true, term = $1 WHERE id = 1", term)
		return err
	})
}

// GoodRaise presents the number of its hold.
func GoodRaise(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/sluices")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return raise(ctx, db, m.Header().Revision)
}

// BadRaise presents the time: whoever comes back from a pause has the latest.
func BadRaise(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/sluices")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return raise(ctx, db, time.Now().UnixNano()) // want "clocktoken"
}

// GoodDue looks at a time that is the datum itself.
func GoodDue(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/notices")
	//fencelint:lock correctness contract=cas
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return in(ctx, db, func(t *sql.Tx) error {
		var due int64
		if err := t.QueryRowContext(ctx, "SELECT due FROM notices WHERE id = 1 FOR UPDATE").Scan(&due); err != nil {
			return err
		}
		now := time.Now().Unix()
		if due > now {
			return nil
		}
		_, err := t.ExecContext(ctx, "UPDATE notices SET sent = true, due = $1 WHERE id = 1", now)
		return err
	})
}
