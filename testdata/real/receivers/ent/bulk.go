package app

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"fencelint.example/real/receivers/ent/ent"
	"fencelint.example/real/receivers/ent/ent/booth"
	"fencelint.example/real/receivers/ent/ent/predicate"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Bulk inserts what a loop has put together.
func Bulk(ctx context.Context, s *concurrency.Session, c *ent.Client, ids []int) error {
	return held(ctx, s, func(int64) error {
		var rows []*ent.BoothCreate
		for _, id := range ids {
			rows = append(rows, c.Booth.Create().SetID(id))
		}
		_, err := c.Booth.CreateBulk(rows...).Save(ctx) // want "unfencedwrite"
		return err
	})
}

// BulkCompared compares where a row is there already, and Vacant takes rows away.
func BulkCompared(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		q := c.Booth.CreateBulk(c.Booth.Create().SetID(id).SetEpoch(epoch)).
			OnConflict(sql.ConflictColumns(booth.FieldID), sql.UpdateWhere(sql.LT("booths.last_epoch", epoch))).UpdateNewValues()
		return q.Exec(ctx) // want "nulladmitted"
	})
}

// BulkOverwrites has no condition.
func BulkOverwrites(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		return c.Booth.CreateBulk(c.Booth.Create().SetID(id).SetEpoch(epoch)).OnConflict(sql.ConflictColumns(booth.FieldID)).UpdateNewValues().Exec(ctx) // want "tokennotcompared"
	})
}

// Let takes one where there is a tenant, unless a newer owner was there.
func Let(ctx context.Context, s *concurrency.Session, c *ent.Client, p predicate.Tenant) error {
	return held(ctx, s, func(epoch int64) error {
		n, err := c.Booth.Update().Where(booth.HasTenant(), booth.Not(booth.HasTenantWith(p)), booth.EpochLT(epoch)).SetEpoch(epoch).Save(ctx)
		if err == nil && n == 0 {
			return errStale
		}
		return err
	})
}

// Vacant deletes where there is no tenant, whoever was there.
func Vacant(ctx context.Context, s *concurrency.Session, c *ent.Client, p predicate.Tenant) error {
	return held(ctx, s, func(int64) error {
		n, err := c.Booth.Delete().Where(booth.OpenEQ(false), booth.Not(booth.HasTenantWith(p))).Exec(ctx) // want "unfencedwrite"
		if err == nil && n == 0 {
			return errStale
		}
		return err
	})
}
