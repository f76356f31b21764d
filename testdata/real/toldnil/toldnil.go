// Package toldnil sends on a channel of errors also where nothing was acquired.
package toldnil

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Run says that all is well before it has the lock, so that the channel tells nothing of it.
func Run(ctx context.Context, mu *concurrency.Mutex, db *sql.DB, quick bool) error {
	done := make(chan error, 1)
	go func() {
		if quick {
			done <- nil
			return
		}
		//fencelint:lock correctness
		if err := mu.Lock(ctx); err != nil {
			done <- err
			return
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE barrels SET full = true WHERE id = 1`)
	return err
}
