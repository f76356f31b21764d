// Package nobody uses a lock of which the program has no implementation.
package nobody

import (
	"context"
	"database/sql"
)

// Locker is provided by a plug-in.
type Locker interface {
	Lock(ctx context.Context, name string) error
	Unlock(ctx context.Context, name string) error
}

// Provided is what the plug-in gave.
//
//fencelint:lock correctness
var Provided Locker

// Sweep writes under the lock.
func Sweep(ctx context.Context, db *sql.DB) error {
	if err := Provided.Lock(ctx, "sweep"); err != nil {
		return err
	}
	defer Provided.Unlock(context.WithoutCancel(ctx), "sweep")
	_, err := db.ExecContext(ctx, "UPDATE shelf SET swept = now()")
	return err
}
