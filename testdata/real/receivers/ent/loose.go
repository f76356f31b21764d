package app

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"fencelint.example/real/receivers/ent/ent"
	"fencelint.example/real/receivers/ent/ent/booth"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Loose has an expression beside the guard, which stands there without parentheses: AND binds
// before OR.
func Loose(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		both := sql.And(sql.ExprP("booths.open OR booths.id = 1"), sql.LT("booths.last_epoch", epoch))
		return c.Booth.Create().SetID(id).SetEpoch(epoch).OnConflict(sql.ConflictColumns(booth.FieldID), sql.UpdateWhere(both)).UpdateNewValues().Exec(ctx) // want "staleadmitted"
	})
}

// Tight has it in parentheses. The row may have been taken away, though.
func Tight(ctx context.Context, s *concurrency.Session, c *ent.Client, id int) error {
	return held(ctx, s, func(epoch int64) error {
		both := sql.And(sql.ExprP("(booths.open OR booths.id = 1)"), sql.LT("booths.last_epoch", epoch))
		return c.Booth.Create().SetID(id).SetEpoch(epoch).OnConflict(sql.ConflictColumns(booth.FieldID), sql.UpdateWhere(both)).UpdateNewValues().Exec(ctx) // want "nulladmitted"
	})
}
