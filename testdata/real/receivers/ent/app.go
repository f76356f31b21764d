// Package app writes through the builders that ent generates.
package app

import (
	"context"
	"errors"

	"entgo.io/ent/dialect/sql"
	"fencelint.example/real/receivers/ent/ent"
	"fencelint.example/real/receivers/ent/ent/booth"
	"fencelint.example/real/receivers/ent/ent/predicate"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/booths")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Many hears of the refusal by the count.
func Many(ctx context.Context, s *concurrency.Session, c *ent.Client) error {
	return held(ctx, s, func(epoch int64) error {
		n, err := c.Booth.Update().Where(booth.ID(7), booth.EpochLT(epoch)).SetEpoch(epoch).Save(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return errStale
		}
		return nil
	})
}

// One hears of it by the error.
func One(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		u := c.Booth.UpdateOneID(id).SetEpoch(epoch)
		u.Where(booth.And(booth.OpenEQ(true), booth.EpochLT(epoch)))
		return u.Exec(ctx)
	})
}

// Upsert compares where the row is there already, and Vacant takes rows away.
func Upsert(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		q := c.Booth.Create().SetID(id).SetEpoch(epoch).
			OnConflict(sql.ConflictColumns(booth.FieldID), sql.UpdateWhere(sql.LT("booths.last_epoch", epoch))).UpdateNewValues()
		return q.Exec(ctx) // want "nulladmitted"
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := c.Tx(ctx)
		if err != nil {
			return err
		}
		if err := tx.Booth.UpdateOneID(0).Where(booth.EpochLTE(epoch)).SetEpoch(epoch).Exec(ctx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if err := tx.Booth.UpdateOneID(id).SetOpen(true).Exec(ctx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
}

// Deaf throws the count away.
func Deaf(ctx context.Context, s *concurrency.Session, c *ent.Client) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.Update().Where(booth.ID(7), booth.EpochLT(epoch)).SetEpoch(epoch).Exec(ctx) // want "rejectionignored"
	})
}

// Or is open on one side.
func Or(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.UpdateOneID(id).Where(booth.Or(booth.OpenEQ(false), booth.EpochLT(epoch))).SetEpoch(epoch).Exec(ctx) // want "staleadmitted"
	})
}

// Null is open where there is no epoch.
func Null(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.UpdateOneID(id).Where(booth.Or(booth.EpochIsNil(), booth.EpochLT(epoch))).SetEpoch(epoch).Exec(ctx) // want "nulladmitted"
	})
}

// Forgets does not store the epoch.
func Forgets(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.UpdateOneID(id).Where(booth.EpochLT(epoch)).SetOpen(true).Exec(ctx) // want "fencenotadvanced"
	})
}

// Overwrites has an upsert without a condition.
func Overwrites(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.Create().SetID(id).SetEpoch(epoch).OnConflict(sql.ConflictColumns(booth.FieldID)).UpdateNewValues().Exec(ctx) // want "tokennotcompared"
	})
}

// Own has a condition that is written by hand.
func Own(ctx context.Context, s *concurrency.Session, c *ent.Client, id int, cond predicate.Booth) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.UpdateOneID(id).Where(booth.EpochLT(epoch), cond).SetEpoch(epoch).Exec(ctx) // want "unprovedwrite"
	})
}

// Locked compares what it has read and locked.
func Locked(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := c.Tx(ctx)
		if err != nil {
			return err
		}
		b, err := tx.Booth.Query().Where(booth.ID(id)).ForUpdate().Only(ctx)
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if b.Epoch > epoch {
			return errors.Join(errStale, tx.Rollback())
		}
		if err := tx.Booth.UpdateOneID(id).SetOpen(true).SetEpoch(epoch).Exec(ctx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
}

// Unlocked does so without the lock.
func Unlocked(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := c.Tx(ctx)
		if err != nil {
			return err
		}
		b, err := tx.Booth.Query().Where(booth.ID(id)).Only(ctx)
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if b.Epoch > epoch {
			return errors.Join(errStale, tx.Rollback())
		}
		if err := tx.Booth.UpdateOneID(id).SetOpen(true).Exec(ctx); err != nil { // want "checkthenact"
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
}

// LockedElsewhere locks outside of the transaction.
func LockedElsewhere(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := c.Tx(ctx)
		if err != nil {
			return err
		}
		b, err := c.Booth.Query().Where(booth.ID(id)).ForUpdate().Only(ctx)
		if err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if b.Epoch > epoch {
			return errors.Join(errStale, tx.Rollback())
		}
		if err := tx.Booth.UpdateOneID(id).SetOpen(true).Exec(ctx); err != nil { // want "checkthenact"
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	})
}
