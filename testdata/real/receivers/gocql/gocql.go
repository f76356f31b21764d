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

// Batch has a condition in one of its statements, which guards the others.
func Batch(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch).WithContext(ctx)
		b.Query(`UPDATE batches SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch)
		b.Query(`UPDATE batches SET full = true WHERE silo = ? AND part = ?`, id, 1)
		add(b, id)
		return inserted(db.MapExecuteBatchCAS(b, map[string]any{}))
	})
}

func add(b *gocql.Batch, id string) {
	b.Query(`INSERT INTO batches (silo, part, full) VALUES (?, 2, true)`, id)
}

// DeafBatch throws the answer away.
func DeafBatch(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.UnloggedBatch)
		b.Query(`UPDATE deaf_batches SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch) // want "rejectionignored"
		b.Query(`UPDATE deaf_batches SET full = true WHERE silo = ?`, id)
		return db.ExecuteBatch(b)
	})
}

// Unapplied does not look whether it was applied.
func Unapplied(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch)
		b.Query(`UPDATE unapplied SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch) // want "rejectionignored"
		_, iter, err := db.ExecuteBatchCAS(b)
		if err != nil {
			return err
		}
		return iter.Close()
	})
}

// Plain has no condition at all.
func Plain(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch)
		b.Query(`UPDATE plain SET epoch = ? WHERE silo = ?`, epoch, id) // want "tokennotcompared"
		b.Query(`UPDATE plain SET full = true WHERE silo = ?`, id)      // want "unfencedwrite"
		return db.ExecuteBatch(b)
	})
}

// Maybe has its condition on some ways only.
func Maybe(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string, guarded bool) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch)
		if guarded {
			b.Query(`UPDATE perhaps SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch)
		}
		b.Query(`UPDATE perhaps SET full = true WHERE silo = ?`, id) // want "unfencedwrite"
		return inserted(db.ExecuteBatchCAS(b))
	})
}

// Elsewhere has its condition in another batch.
func Elsewhere(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string) error {
	return held(ctx, s, func(epoch int64) error {
		a, b := db.NewBatch(gocql.LoggedBatch), db.NewBatch(gocql.LoggedBatch)
		a.Query(`UPDATE elsewhere SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch)
		b.Query(`UPDATE elsewhere SET full = true WHERE silo = ?`, id) // want "unfencedwrite"
		if err := inserted(db.ExecuteBatchCAS(a)); err != nil {
			return err
		}
		return db.ExecuteBatch(b)
	})
}

// Created has beside its write only a row that is new for each owner.
func Created(ctx context.Context, s *concurrency.Session, db *gocql.Session, id, op string) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch)
		b.Query(`INSERT INTO created (silo, op) VALUES (?, ?) IF NOT EXISTS`, id, op)
		b.Query(`UPDATE created SET full = true WHERE silo = ?`, id) // want "unfencedwrite"
		return inserted(db.ExecuteBatchCAS(b))
	})
}

// Skipped sends the statement with the condition on some ways only.
func Skipped(ctx context.Context, s *concurrency.Session, db *gocql.Session, id string, again bool) error {
	return held(ctx, s, func(epoch int64) error {
		b := db.NewBatch(gocql.LoggedBatch)
		if !again {
			b.Query(`UPDATE skipped SET epoch = ? WHERE silo = ? IF epoch < ?`, epoch, id, epoch)
		}
		b.Query(`UPDATE skipped SET full = true WHERE silo = ?`, id) // want "unfencedwrite"
		return inserted(db.ExecuteBatchCAS(b))
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

func applied(ok bool, err error) error {
	if err != nil {
		return err
	}
	if !ok {
		return errStale
	}
	return nil
}
