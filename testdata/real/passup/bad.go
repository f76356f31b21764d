// Package passup is told that its write was refused, and lets it pass. Text, execution
// and answer are two packages further down.
package passup

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"log/slog"

	"fencelint.example/real/passup/store"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadCount is handed the number of rows and throws it away.
func BadCount(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/count")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := st.Count(ctx, "c1", id, mu.Header().Revision) // want "rejectionignored"
	return err
}

// BadBool is handed a yes or no and only tells the log.
func BadBool(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/bool")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	ok, err := st.Did(ctx, "c2", id, mu.Header().Revision) // want "rejectionignored"
	if err != nil {
		return err
	}
	if !ok {
		slog.Warn("nothing was written", "id", id)
	}
	return nil
}

// BadError is handed an error that says so, and calls it success.
func BadError(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/error")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	err := st.Do(ctx, "c3", id, mu.Header().Revision) // want "rejectionignored"
	if errors.Is(err, store.ErrStale) {
		return nil
	}
	return err
}

// BadDropped does not take the error at all.
func BadDropped(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/dropped")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	st.Do(ctx, "c4", id, mu.Header().Revision) // want "rejectionignored"
	return nil
}

// BadHere looks at the error of the statement only; no row is no error.
func BadHere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/here")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, // want "rejectionignored"
		`UPDATE hats_plain SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	return err
}

// BadLogged counts the rows for the log.
func BadLogged(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/logged")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "rejectionignored"
		`UPDATE coats_plain SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	log.Printf("%d rows", n)
	return nil
}

// BadSwallowed leaves the answer to a helper that keeps it to itself.
func BadSwallowed(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/swallowed")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "rejectionignored"
		`UPDATE scarves_plain SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	return note(res, err)
}

func note(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		slog.Warn("nothing was written", "err", err)
	}
	return nil
}

// BadNoRows takes "no row" for "nothing to do".
func BadNoRows(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (left int64, err error) {
	mu := concurrency.NewMutex(s, "/locks/norows")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return 0, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	err = db.QueryRowContext(ctx, // want "rejectionignored"
		`UPDATE gloves_plain SET n = n - 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING n`,
		id, mu.Header().Revision).Scan(&left)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return left, err
}

// BadCommit commits a transaction whose first statement was refused.
func BadCommit(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/commit")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, // want "rejectionignored"
		`UPDATE boots_plain SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision); err != nil {
		return err
	}
	return tx.Commit()
}
