// Package rounds writes in the rounds of a loop, and says what makes repetition harmless.
package rounds

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func note(ctx context.Context, db *sql.DB, id, fence int64, v string) error {
	res, err := db.ExecContext(ctx, `UPDATE wallets SET note = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, fence, v)
	return changed(res, err)
}

// Steps writes one row in each round; its own number passes once.
func Steps(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, steps []string) error {
	m := concurrency.NewMutex(s, "/rounds/steps")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for _, st := range steps {
		if err := note(ctx, db, id, m.Header().Revision, st); err != nil { // want "repeatedepoch"
			return err
		}
	}
	return nil
}

// Beats does so with a row that the statement names.
func Beats(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/rounds/beats")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "b"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	for {
		res, err := db.ExecContext(ctx, `UPDATE hearts SET beat = now(), fence = $1 WHERE id = 1 AND fence < $1`, e.Rev()) // want "repeatedepoch"
		if err := changed(res, err); err != nil {
			return err
		}
		select {
		case <-s.Done():
			return errStale
		case <-time.After(time.Second):
		}
	}
}

// Each writes another row in each round.
func Each(ctx context.Context, s *concurrency.Session, db *sql.DB, ids []int64) error {
	m := concurrency.NewMutex(s, "/rounds/each")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for _, id := range ids {
		if err := note(ctx, db, id, m.Header().Revision, "x"); err != nil {
			return err
		}
	}
	return nil
}

// Retry writes again only what did not come through.
func Retry(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (err error) {
	m := concurrency.NewMutex(s, "/rounds/retry")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for range 3 {
		if err = note(ctx, db, id, m.Header().Revision, "x"); err == nil || errors.Is(err, errStale) {
			return err
		}
	}
	return err
}

// Turns takes the lock anew in each round.
func Turns(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	for {
		m := concurrency.NewMutex(s, "/rounds/turns")
		//fencelint:lock correctness
		if err := m.Lock(ctx); err != nil {
			return err
		}
		if err := errors.Join(note(ctx, db, id, m.Header().Revision, "x"), m.Unlock(context.WithoutCancel(ctx))); err != nil {
			return err
		}
	}
}

// Declared declares a sequence and has none.
func Declared(ctx context.Context, s *concurrency.Session, db *sql.DB, id, n int64) error {
	m := concurrency.NewMutex(s, "/rounds/declared")
	//fencelint:lock correctness replay=sequence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, `UPDATE tills SET n = n + $3, fence = $2 WHERE id = $1 AND fence <= $2`, id, m.Header().Revision, n) // want "repeatedepoch"
	return changed(res, err)
}

// Sequence has it.
func Sequence(ctx context.Context, s *concurrency.Session, db *sql.DB, id, n, seq int64) error {
	m := concurrency.NewMutex(s, "/rounds/sequence")
	//fencelint:lock correctness replay=sequence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE safes SET n = n + $4, fence = $2, seq = $3 WHERE id = $1 AND (fence < $2 OR fence = $2 AND seq < $3)`, id, m.Header().Revision, seq, n)
	return changed(res, err)
}

// Once leaves the id of the operation in the same transaction.
func Once(ctx context.Context, s *concurrency.Session, db *sql.DB, id, n int64, op string) error {
	m := concurrency.NewMutex(s, "/rounds/once")
	//fencelint:lock correctness replay=idempotent
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO operations (id) VALUES ($1)`, op); err != nil {
		return err
	}
	res, err := tx.ExecContext(ctx, `UPDATE chests SET n = n + $3, fence = $2 WHERE id = $1 AND fence <= $2`, id, m.Header().Revision, n)
	if err := changed(res, err); err != nil {
		return err
	}
	return tx.Commit()
}

// Twice declares so and leaves nothing.
func Twice(ctx context.Context, s *concurrency.Session, db *sql.DB, id, n int64) error {
	m := concurrency.NewMutex(s, "/rounds/twice")
	//fencelint:lock correctness replay=idempotent
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, `UPDATE boxes SET n = n + $3, fence = $2 WHERE id = $1 AND fence <= $2`, id, m.Header().Revision, n) // want "repeatedepoch"
	return changed(res, err)
}

type ticket struct {
	name string
	rev  int64
}

func filled(m *concurrency.Mutex) (t ticket, err error) {
	if err := m.TryLock(context.Background()); err != nil {
		return t, err
	}
	t.name, t.rev = m.Key(), m.Header().Revision
	return t, nil
}

func empty(m *concurrency.Mutex) (t ticket, err error) {
	if m.Key() == "" {
		return t, errStale
	}
	t.name = m.Key()
	return t, nil
}

func number(m *concurrency.Mutex) (int64, error) {
	if m.Header() == nil {
		return 0, errStale
	}
	return m.Header().Revision, nil
}

// Blank hands on a ticket without a number.
func Blank(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/rounds/blank")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	t, err := empty(m)
	if err != nil {
		return err
	}
	return note(ctx, db, id, t.rev, t.name) // want "zerotoken"
}

// Filled hands on one with a number.
func Filled(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/rounds/filled")
	//fencelint:lock correctness
	t, err := filled(m)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return note(ctx, db, id, t.rev, t.name)
}

// Unasked drops the error with which the number came.
func Unasked(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/rounds/unasked")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, _ := number(m)
	return note(ctx, db, id, n, "x") // want "zerotoken"
}

// Asked looks at it.
func Asked(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/rounds/asked")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n, err := number(m)
	if err != nil {
		return err
	}
	return note(ctx, db, id, n, "x")
}

// InVain says that its steps are counted, and counts none: its own number passes once.
func InVain(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/rounds/invain")
	//fencelint:lock correctness replay=sequence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	if err := note(ctx, db, id, m.Header().Revision, "a"); err != nil {
		return err
	}
	return note(ctx, db, id, m.Header().Revision, "b") // want "repeatedepoch"
}

// ByStep does as it says.
func ByStep(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, steps []string) error {
	m := concurrency.NewMutex(s, "/rounds/bystep")
	//fencelint:lock correctness replay=sequence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for i, st := range steps {
		res, err := db.ExecContext(ctx, `UPDATE purses SET note = $4, fence = $2, step = $3 WHERE id = $1 AND (fence, step) < ($2, $3)`,
			id, m.Header().Revision, i+1, st)
		if err := changed(res, err); err != nil {
			return err
		}
	}
	return nil
}
