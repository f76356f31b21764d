// Package swapped compares the epoch with a column that nobody is seen to move.
package swapped

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner came after")

// Rename hands its epoch in where the id belongs, and the other way round. What Run sends
// may move the id or not.
func Rename(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, name string) error {
	m := concurrency.NewMutex(s, "/names/1")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	res, err := db.ExecContext(ctx, `UPDATE names SET name = $3, fence = $2 WHERE id = $1 AND fence < $2`, m.Header().Revision, id, name) // want "unprovedwrite"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Run sends what it is given.
func Run(ctx context.Context, db *sql.DB, statement string) error {
	_, err := db.ExecContext(ctx, statement)
	return err
}

// Move claims a range by a number that Take moves: an owner that is behind does not find it.
func Move(ctx context.Context, s *concurrency.Session, db *sql.DB, from int64) error {
	m := concurrency.NewMutex(s, "/ranges/1")
	//fencelint:lock correctness contract=fence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	epoch := m.Header().Revision
	if err := admit(db.ExecContext(ctx, `UPDATE ranges SET owner = $1 WHERE id = 1 AND owner < $1`, epoch)); err != nil {
		return err
	}
	return admit(db.ExecContext(ctx, `UPDATE ranges SET start = $2 WHERE id = 1 AND owner = $1`, epoch, from)) // want "equaladmitted"
}

func admit(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
