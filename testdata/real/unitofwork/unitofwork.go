// Package unitofwork works through interfaces on what belongs to one transaction, and under two
// locks in one transaction.
package unitofwork

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

// Repos are what works in one transaction.
type Repos interface {
	Stock() Stock
	Moves() Moves
}

// Stock counts goods.
type Stock interface {
	Take(ctx context.Context, table string, epoch int64) error
	Mark(ctx context.Context, table string, epoch int64)
}

// Moves notes what was moved.
type Moves interface {
	Add(ctx context.Context, table string) error
}

type repos struct{ tx *sql.Tx }

func (r repos) Stock() Stock { return stock{r.tx} }
func (r repos) Moves() Moves { return moves{r.tx} }

type stock struct{ tx *sql.Tx }

func (s stock) Take(ctx context.Context, table string, epoch int64) error {
	return changed(s.tx.ExecContext(ctx, `UPDATE `+table+` SET n = n - 1, epoch = $1 WHERE epoch < $1`, epoch))
}

func (s stock) Mark(ctx context.Context, table string, epoch int64) {
	_ = changed(s.tx.ExecContext(ctx, `UPDATE `+table+` SET n = n - 1, epoch = $1 WHERE epoch < $1`, epoch))
}

type moves struct{ tx *sql.Tx }

func (m moves) Add(ctx context.Context, table string) error {
	_, err := m.tx.ExecContext(ctx, `INSERT INTO `+table+` DEFAULT VALUES`)
	return err
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = errStale
	}
	return err
}

func inTx(ctx context.Context, db *sql.DB, fn func(Repos) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(repos{tx}); err != nil {
		return err
	}
	return tx.Commit()
}

// Guarded takes, and notes it when it was let.
func Guarded(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return inTx(ctx, db, func(r Repos) error {
		if err := r.Stock().Take(ctx, "guarded", epoch); err != nil {
			return err
		}
		return r.Moves().Add(ctx, "guarded_moves")
	})
}

// Before notes it first, and does not take at all on one way.
func Before(ctx context.Context, db *sql.DB, m *concurrency.Mutex, all bool) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return inTx(ctx, db, func(r Repos) error {
		if all {
			if err := r.Stock().Take(ctx, "before", epoch); err != nil {
				return err
			}
		}
		return r.Moves().Add(ctx, "before_moves") // want "unfencedwrite"
	})
}

// Unheard drops the error of what it takes.
func Unheard(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return inTx(ctx, db, func(r Repos) error {
		_ = r.Stock().Take(ctx, "unheard", epoch)  // want "rejectionignored"
		return r.Moves().Add(ctx, "unheard_moves") // want "unfencedwrite"
	})
}

// Untold works with what tells nobody.
func Untold(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return inTx(ctx, db, func(r Repos) error {
		r.Stock().Mark(ctx, "untold", epoch)      // want "rejectionignored"
		return r.Moves().Add(ctx, "untold_moves") // want "unfencedwrite"
	})
}

type hold struct {
	token int64
	m     *concurrency.Mutex
}

func take(ctx context.Context, s *concurrency.Session, name string) (*hold, error) {
	m := concurrency.NewMutex(s, name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return &hold{m.Header().Revision, m}, nil
}

func (h *hold) free(ctx context.Context) { _ = h.m.Unlock(context.WithoutCancel(ctx)) }

// Transfer holds both ends, and compares the number of each in one transaction.
func Transfer(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	from, err := take(ctx, s, "/from")
	if err != nil {
		return err
	}
	defer from.free(ctx)
	to, err := take(ctx, s, "/to")
	if err != nil {
		return err
	}
	defer to.free(ctx)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := changed(tx.ExecContext(ctx, `UPDATE senders SET n = n - 1, fence = $1 WHERE id = 1 AND fence < $1`, from.token)); err != nil {
		return err
	}
	if err := changed(tx.ExecContext(ctx, `UPDATE takers SET n = n + 1, fence = $1 WHERE id = 2 AND fence < $1`, to.token)); err != nil {
		return err
	}
	return tx.Commit()
}

// Apart compares each number in a statement of its own.
func Apart(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	from, err := take(ctx, s, "/apart/from")
	if err != nil {
		return err
	}
	defer from.free(ctx)
	to, err := take(ctx, s, "/apart/to")
	if err != nil {
		return err
	}
	defer to.free(ctx)
	if err := changed(db.ExecContext(ctx, `UPDATE apart_senders SET n = n - 1, fence = $1 WHERE id = 1 AND fence < $1`, from.token)); err != nil { // want "unprovedwrite"
		return err
	}
	return changed(db.ExecContext(ctx, `UPDATE apart_takers SET n = n + 1, fence = $1 WHERE id = 2 AND fence < $1`, to.token)) // want "unprovedwrite"
}
