// Package stm writes within a transaction of etcd that is run again on conflict.
package stm

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Beside writes to a database, which the transaction does not undo and not guard.
func Beside(ctx context.Context, c *clientv3.Client, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/stm")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := concurrency.NewSTM(c, func(concurrency.STM) error {
		_, err := db.ExecContext(ctx, `UPDATE looms SET busy = true WHERE id = 1`) // want "unfencedwrite"
		return err
	})
	return err
}
