package passup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"

	"fencelint.example/real/passup/store"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("somebody else writes here by now")

// GoodCount looks at the number of rows.
func GoodCount(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/count")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	n, err := st.Count(ctx, "c5", id, mu.Header().Revision)
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// GoodBool looks at the yes or no.
func GoodBool(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/bool")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if ok, err := st.Did(ctx, "c6", id, mu.Header().Revision); err != nil || !ok {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodError hands the error on, with more words.
func GoodError(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/error")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := st.Do(ctx, "c7", id, mu.Header().Revision); err != nil {
		return fmt.Errorf("write %d: %w", id, err)
	}
	return nil
}

// GoodOther tells the refusal apart and gives it another name.
func GoodOther(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/other")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	err := st.Do(ctx, "c8", id, mu.Header().Revision)
	if errors.Is(err, store.ErrStale) {
		return errStale
	}
	return err
}

// GoodHandedOn leaves the decision to its caller.
func GoodHandedOn(ctx context.Context, s *concurrency.Session, st *store.Store, id int64) (bool, error) {
	mu := concurrency.NewMutex(s, "/locks/handedon")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return false, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return st.Did(ctx, "c9", id, mu.Header().Revision)
}

// GoodExit ends the process: an owner that was relieved has nothing left to do.
func GoodExit(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/exit")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE hats SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		log.Fatalf("row %d belongs to a newer owner", id)
	}
	return nil
}

// GoodPanic does so louder.
func GoodPanic(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/panic")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE coats SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		panic(fmt.Sprint("row ", id, " belongs to a newer owner: ", err))
	}
	return nil
}

// GoodCommit rolls back what was refused. The first statement compares; the others stand
// or fall with it.
func GoodCommit(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
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
	res, err := tx.ExecContext(ctx,
		`UPDATE boots SET worn = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO wearings (boot) VALUES ($1)`, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM shoe_trees WHERE boot = $1`, id); err != nil {
		return err
	}
	if err := tidy(ctx, tx, id); err != nil {
		return err
	}
	return tx.Commit()
}

func tidy(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE wardrobes SET tidy = false WHERE boot = $1`, id)
	return err
}
