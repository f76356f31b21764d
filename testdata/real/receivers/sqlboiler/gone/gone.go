// Package gone removes records, which the package around it creates once.
package gone

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/receivers/sqlboiler/models"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/gone")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

func counted(n int64, err error) error {
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// Gone removes by the key.
func Gone(ctx context.Context, s *concurrency.Session, db *sql.DB, k *models.Keg) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(k.Delete(ctx, db)) // want "unfencedwrite"
	})
}
