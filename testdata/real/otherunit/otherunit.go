// Package otherunit compares the epoch where it does not stop the write: in an
// earlier transaction, and under a key that no two owners share.
package otherunit

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type desk struct{ tx *sql.Tx }

// Reopened compares in one transaction and writes in the next, through one variable.
func Reopened(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/desk")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	var d desk
	var err error
	if d.tx, err = db.BeginTx(ctx, nil); err != nil {
		return err
	}
	if err := changed(d.tx.ExecContext(ctx, `UPDATE desks SET epoch = $1 WHERE id = 1 AND epoch < $1`, mu.Header().Revision)); err != nil {
		return errors.Join(err, d.tx.Rollback())
	}
	if err := d.tx.Commit(); err != nil {
		return err
	}
	if d.tx, err = db.BeginTx(ctx, nil); err != nil {
		return err
	}
	if _, err := d.tx.ExecContext(ctx, `UPDATE drawers SET full = true WHERE id = 1`); err != nil { // want "unprovedwrite|unfencedwrite"
		return err
	}
	return d.tx.Commit()
}

// OwnKey inserts beside the newer owner's row, since the epoch is part of the key.
func OwnKey(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/key")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return changed(db.ExecContext(ctx, `INSERT INTO keys (id, epoch, state) VALUES (3, $1, 'paid') ON CONFLICT (id, epoch) DO UPDATE SET epoch = EXCLUDED.epoch, state = 'paid' WHERE keys.epoch < EXCLUDED.epoch`, mu.Header().Revision)) // want "unprovedwrite|unfencedwrite|staleadmitted"
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
