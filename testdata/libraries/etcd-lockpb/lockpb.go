// Package lockpb asks etcd's lock service itself.
package lockpb

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/server/v3/etcdserver/api/v3lock/v3lockpb"
)

const fenced = `UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`

// Unfenced does not use what the answer tells.
func Unfenced(ctx context.Context, c v3lockpb.LockClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Lock(ctx, &v3lockpb.LockRequest{Name: []byte("stall"), Lease: lease})
	if err != nil {
		return err
	}
	defer c.Unlock(ctx, &v3lockpb.UnlockRequest{Key: r.Key})
	_, err = db.ExecContext(ctx, `UPDATE stalls SET open = true WHERE id = 1`) // want "unfencedwrite"
	return err
}

// Fenced presents the revision of the answer.
func Fenced(ctx context.Context, c v3lockpb.LockClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Lock(ctx, &v3lockpb.LockRequest{Name: []byte("stall"), Lease: lease})
	if err != nil {
		return err
	}
	defer c.Unlock(ctx, &v3lockpb.UnlockRequest{Key: r.Key})
	res, err := db.ExecContext(ctx, fenced, r.Header.Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Ignored does not look whether it was granted.
func Ignored(ctx context.Context, c v3lockpb.LockClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	_, _ = c.Lock(ctx, &v3lockpb.LockRequest{Name: []byte("stall"), Lease: lease}) // want "acquireignored"
	_, err := db.ExecContext(ctx, `UPDATE stalls SET open = true WHERE id = 1`)    // want "unfencedwrite"
	return err
}

// OtherLock presents the number of one lock under another.
func OtherLock(ctx context.Context, c v3lockpb.LockClient, lease int64, db *sql.DB) error {
	//fencelint:lock efficiency
	a, err := c.Lock(ctx, &v3lockpb.LockRequest{Name: []byte("gate"), Lease: lease})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err := c.Lock(ctx, &v3lockpb.LockRequest{Name: []byte("barn"), Lease: lease}); err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, a.Header.Revision) // want "unprovedwrite"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}
