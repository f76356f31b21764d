// Package lockedrow compares the epoch in a row that the transaction has locked.
package lockedrow

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

func in(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) (err error) {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			t.Rollback()
			panic(p)
		} else if err != nil {
			t.Rollback()
		} else {
			err = t.Commit()
		}
	}()
	return f(t)
}

// GoodRowLock stores the epoch in the row that it locked.
func GoodRowLock(ctx context.Context, s *concurrency.Session, db *sql.DB, id int) error {
	m := concurrency.NewMutex(s, "/lockedrow")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return in(ctx, db, func(t *sql.Tx) error {
		var cur int64
		if err := t.QueryRowContext(ctx, "SELECT epoch FROM epochs WHERE name = 'rl' FOR UPDATE").Scan(&cur); err != nil {
			return err
		}
		if cur > rev {
			return errStale
		}
		if _, err := t.ExecContext(ctx, "UPDATE epochs SET epoch = $1 WHERE name = 'rl'", rev); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, "UPDATE ledger SET n = n+1 WHERE id = $1", id)
		return err
	})
}

// BadNotAdvanced locks and compares, and nobody stores a newer epoch.
func BadNotAdvanced(ctx context.Context, s *concurrency.Session, db *sql.DB, id int) error {
	m := concurrency.NewMutex(s, "/lockedrow")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return in(ctx, db, func(t *sql.Tx) error {
		var cur int64
		if err := t.QueryRowContext(ctx, "SELECT epoch FROM epochs4 WHERE name = 'rl' FOR UPDATE").Scan(&cur); err != nil {
			return err
		}
		if cur > rev {
			return errStale
		}
		_, err := t.ExecContext(ctx, "UPDATE ledger4 SET n = n+1 WHERE id = $1", id) // want "fencenotadvanced"
		return err
	})
}

// BadWrongWay refuses the newer owner.
func BadWrongWay(ctx context.Context, s *concurrency.Session, db *sql.DB, id int) error {
	m := concurrency.NewMutex(s, "/lockedrow")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return in(ctx, db, func(t *sql.Tx) error {
		var cur int64
		if err := t.QueryRowContext(ctx, "SELECT epoch FROM epochs3 WHERE name = 'rl' FOR UPDATE").Scan(&cur); err != nil {
			return err
		}
		if cur < rev {
			return errStale
		}
		_, err := t.ExecContext(ctx, "UPDATE ledger3 SET n = n+1 WHERE id = $1", id) // want "unfencedwrite|checkthenact|staleadmitted"
		return err
	})
}

// GoodTwice stores the epoch again in the second statement on the row.
func GoodTwice(ctx context.Context, s *concurrency.Session, db *sql.DB, id int) error {
	m := concurrency.NewMutex(s, "/lockedrow")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return in(ctx, db, func(t *sql.Tx) error {
		if err := first(ctx, t, id, rev); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, "UPDATE twice SET m = m + 1, epoch = $2 WHERE id = $1", id, rev)
		return err
	})
}

// BadTwice takes the epoch back in the second one.
func BadTwice(ctx context.Context, s *concurrency.Session, db *sql.DB, id int) error {
	m := concurrency.NewMutex(s, "/lockedrow")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	return in(ctx, db, func(t *sql.Tx) error {
		if err := first(ctx, t, id, rev); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, "UPDATE twice SET m = m + 1, epoch = 0 WHERE id = $1", id) // want "nulladmitted"
		return err
	})
}

func first(ctx context.Context, t *sql.Tx, id int, rev int64) error {
	res, err := t.ExecContext(ctx, "UPDATE twice SET n = n + 1, epoch = $2 WHERE id = $1 AND epoch < $2", id, rev)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// BadEntry compares the number of another lock.
func BadEntry(ctx context.Context, locks map[string]*concurrency.Mutex, db *sql.DB, id int) error {
	m := locks["a"]
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return in(ctx, db, func(t *sql.Tx) error {
		return first(ctx, t, id, locks["b"].Header().Revision) // want "unprovedwrite"
	})
}
