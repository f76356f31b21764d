// Package dapr asks a sidecar for locks.
package dapr

import (
	"context"
	"database/sql"
	"errors"

	"github.com/dapr/go-sdk/client"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

var errTaken = errors.New("taken")

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c client.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	r, err := c.TryLockAlpha1(ctx, "locks", &client.LockRequest{ResourceID: "stall", LockOwner: me, ExpiryInSeconds: 60})
	if err != nil {
		return err
	}
	if !r.Success {
		return errTaken
	}
	defer c.UnlockAlpha1(ctx, "locks", &client.UnlockRequest{ResourceID: "stall", LockOwner: me})
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// ErrOnly takes an answer without an error for a grant.
func ErrOnly(ctx context.Context, c client.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := c.TryLockAlpha1(ctx, "locks", &client.LockRequest{ResourceID: "stall", LockOwner: me, ExpiryInSeconds: 60}) // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Named presents its own name as a fence.
func Named(ctx context.Context, c client.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	r, err := c.TryLockAlpha1(ctx, "locks", &client.LockRequest{ResourceID: "barn", LockOwner: me, ExpiryInSeconds: 60})
	if err != nil || !r.Success {
		return errors.Join(errTaken, err)
	}
	res, err := db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, me) // want "opaquetoken"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}

// Forever never expires.
func Forever(ctx context.Context, c client.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.TryLockAlpha1(ctx, "locks", &client.LockRequest{ResourceID: "stall", LockOwner: me}) // want "noexpiry"
	if err != nil || !r.Success {
		return errors.Join(errTaken, err)
	}
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
