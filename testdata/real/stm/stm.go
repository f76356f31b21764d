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

// Compares puts what it has read: no update is lost.
func Compares(ctx context.Context, c *clientv3.Client, s *concurrency.Session, to string) error {
	mu := concurrency.NewMutex(s, "/locks/stm")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if _, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		if stm.Get("/looms/1") != to {
			stm.Put("/looms/1", to)
		}
		return nil
	}, concurrency.WithAbortContext(ctx)); err != nil {
		return err
	}
	_, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		old := stm.Get("/looms/2")
		println(old)
		put(stm, "/looms/2", to)
		return nil
	}, concurrency.WithIsolation(concurrency.Serializable))
	return err
}

func put(stm concurrency.STM, key, to string) { stm.Put(key, to) }

// Blind puts what nothing compares.
func Blind(ctx context.Context, c *clientv3.Client, s *concurrency.Session, to string) error {
	mu := concurrency.NewMutex(s, "/locks/stm")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if _, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		stm.Put("/looms/1", to) // want "unfencedwrite"
		stm.Del("/looms/2")     // want "unfencedwrite"
		return nil
	}); err != nil {
		return err
	}
	if _, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		stm.Put("/looms/1", stm.Get("/looms/2")) // want "unprovedwrite"
		return nil
	}, concurrency.WithIsolation(concurrency.Serializable)); err != nil {
		return err
	}
	_, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		stm.Put("/looms/1", stm.Get("/looms/1")+to) // want "unfencedwrite"
		return nil
	}, concurrency.WithIsolation(concurrency.ReadCommitted))
	return err
}

// Ordered asks for more than a comparison of versions.
func Ordered(ctx context.Context, c *clientv3.Client, s *concurrency.Session, to string) error {
	mu := concurrency.NewMutex(s, "/locks/stm")
	//fencelint:lock correctness contract=fence
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := concurrency.NewSTM(c, func(stm concurrency.STM) error {
		stm.Put("/looms/1", stm.Get("/looms/1")+to) // want "casnotfence"
		return nil
	})
	return err
}
