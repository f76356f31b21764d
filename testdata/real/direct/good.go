package direct

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodUpdate compares and stores the revision of its acquisition.
func GoodUpdate(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/lamp")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	res, err := db.ExecContext(ctx,
		`UPDATE lamps SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision, state)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// GoodTry does so after an attempt that may fail at once.
func GoodTry(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/heater")
	//fencelint:lock correctness
	err := mu.TryLock(ctx)
	if errors.Is(err, concurrency.ErrLocked) {
		return nil // somebody else heats
	}
	if err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	res, err := db.ExecContext(ctx,
		`UPDATE heaters SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodLead compares the revision of the election.
func GoodLead(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, plan string) error {
	e := concurrency.NewElection(s, "/leaders/planner")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "planner"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	term := e.Rev()

	res, err := db.ExecContext(ctx,
		`UPDATE plans SET plan = $3, term = $1 WHERE id = $2 AND $1 > term`, term, id, plan)
	if err != nil {
		return fmt.Errorf("plan %d: %w", id, err)
	}
	switch n, err := res.RowsAffected(); {
	case err != nil:
		return err
	case n < 1:
		return fmt.Errorf("plan %d, term %d: %w", id, term, errStale)
	default:
		return nil
	}
}

// GoodReturning takes "no row" for the refusal that it is.
func GoodReturning(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (stock int64, err error) {
	mu := concurrency.NewMutex(s, "/locks/shelf")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return 0, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	err = db.QueryRowContext(ctx,
		`UPDATE shelves SET stock = stock - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING stock`,
		id, mu.Header().Revision).Scan(&stock)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, errStale
	}
	return stock, err
}

// GoodReturningPlain hands every error of Scan on, that of a refusal too.
func GoodReturningPlain(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (stock int64, err error) {
	mu := concurrency.NewMutex(s, "/locks/cellar")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return 0, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	row := db.QueryRowContext(ctx,
		`UPDATE cellars SET stock = stock - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING stock`,
		id, mu.Header().Revision)
	if err := row.Scan(&stock); err != nil {
		return 0, err
	}
	return stock, nil
}

// GoodDeferred writes in a closure that runs when the function ends, and compares.
func GoodDeferred(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (err error) {
	mu := concurrency.NewMutex(s, "/locks/tap")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer func() {
		if uerr := mu.Unlock(context.WithoutCancel(ctx)); uerr != nil {
			err = errors.Join(err, uerr)
		}
	}()
	fence := mu.Header().Revision
	defer func() {
		res, xerr := db.ExecContext(ctx,
			`UPDATE taps SET closed = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		if xerr != nil {
			err = errors.Join(err, xerr)
			return
		}
		if n, xerr := res.RowsAffected(); xerr != nil || n == 0 {
			err = errors.Join(err, errStale, xerr)
		}
	}()
	return ctx.Err()
}

// GoodPrepared runs a statement that was prepared in the hold.
func GoodPrepared(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, state string) error {
	mu := concurrency.NewMutex(s, "/locks/fan")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	stmt, err := db.PrepareContext(ctx, `UPDATE fans SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	res, err := stmt.ExecContext(ctx, id, mu.Header().Revision, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
