// Package gocql writes to Cassandra, where only IF compares.
package gocql

import (
	"context"
	"errors"

	"github.com/gocql/gocql"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/silos")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fill compares and hears of the answer.
func Fill(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		var seen int64
		return applied(db.Query(`UPDATE silos USING TTL ? SET full = true, epoch = ? WHERE id = ? IF epoch < ?`, 60, epoch, id, epoch).
			WithContext(ctx).ScanCAS(&seen))
	})
}

// Deaf does not ask whether it was applied.
func Deaf(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Query(`UPDATE deaf SET epoch = ? WHERE id = ? IF epoch < ?`, epoch, id, epoch).WithContext(ctx).Exec() // want "rejectionignored"
	})
}

// Bare has no IF.
func Bare(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Query(`UPDATE bare SET epoch = ? WHERE id = ?`, epoch, id).WithContext(ctx).Exec() // want "tokennotcompared"
	})
}

// Present asks only whether there is a row.
func Present(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		m := map[string]any{}
		return applied(db.Query(`UPDATE present SET epoch = ? WHERE id = ? IF EXISTS`, epoch, id).WithContext(ctx).MapScanCAS(m)) // want "tokennotcompared"
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		m := map[string]any{}
		return applied(db.Query(`UPDATE turned SET epoch = ? WHERE id = ? IF epoch > ?`, epoch, id, epoch).WithContext(ctx).MapScanCAS(m)) // want "staleadmitted"
	})
}

// Overwrites inserts over what is there.
func Overwrites(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Query(`INSERT INTO overwrites (id, full) VALUES (?, true)`, id).WithContext(ctx).Exec() // want "unfencedwrite"
	})
}

func applied(ok bool, err error) error {
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	return nil
}
