// Package gocqlv2 writes to Cassandra by the driver's second version, whose batches are
// chains.
package gocqlv2

import (
	"context"
	"errors"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/bins")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fill compares and hears of the answer.
func Fill(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		ok, err := db.Query(`UPDATE bins SET full = true, epoch = ? WHERE id = ? IF epoch < ?`, epoch, id, epoch).
			SerialConsistency(gocql.LocalSerial).MapScanCASContext(ctx, map[string]any{})
		if err != nil {
			return err
		}
		if !ok {
			return errStale
		}
		return nil
	})
}

// Deaf does not ask whether it was applied.
func Deaf(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Query(`UPDATE deaf SET epoch = ? WHERE id = ? IF epoch < ?`, epoch, id, epoch).ExecContext(ctx) // want "rejectionignored"
	})
}

// Chained begins, fills and sends its batch in one chain.
func Chained(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return inserted(db.Batch(gocql.LoggedBatch).
			Query(`UPDATE chained SET epoch = ? WHERE bin = ? IF epoch < ?`, epoch, id, epoch).
			Query(`UPDATE chained SET full = true WHERE bin = ?`, id).
			ExecCASContext(ctx))
	})
}

// Batch keeps its batch in a variable.
func Batch(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.Batch(gocql.UnloggedBatch)
		b.Query(`UPDATE batches SET full = true WHERE bin = ?`, id)
		b.Query(`UPDATE batches SET epoch = ? WHERE bin = ? IF epoch < ?`, epoch, id, epoch)
		return inserted(b.MapExecCAS(map[string]any{}))
	})
}

// DeafBatch throws the answer away.
func DeafBatch(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.Batch(gocql.LoggedBatch)
		b.Query(`UPDATE deaf_batches SET epoch = ? WHERE bin = ? IF epoch < ?`, epoch, id, epoch) // want "rejectionignored"
		b.Query(`UPDATE deaf_batches SET full = true WHERE bin = ?`, id)
		return b.ExecContext(ctx)
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.Batch(gocql.LoggedBatch)
		b.Query(`UPDATE turned SET epoch = ? WHERE bin = ? IF epoch > ?`, epoch, id, epoch) // want "staleadmitted"
		b.Query(`UPDATE turned SET full = true WHERE bin = ?`, id)                          // want "unfencedwrite"
		return inserted(b.ExecCAS())
	})
}

func inserted(ok bool, iter *gocql.Iter, err error) error {
	if err != nil {
		return err
	}
	if err := iter.Close(); err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	return nil
}
