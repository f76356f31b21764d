package goqu

import (
	"context"

	"github.com/doug-martin/goqu/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// FillLiteral has its alternatives in parentheses of their own.
func FillLiteral(ctx context.Context, s *concurrency.Session, db *goqu.Database) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("cellars").Set(goqu.Record{"full": true, "epoch": epoch}).
			Where(goqu.L("(id = 1 OR id = 2)"), goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx))
	})
}

// FillLoose stands as it is written beside the guard: AND binds before OR.
func FillLoose(ctx context.Context, s *concurrency.Session, db *goqu.Database) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("cellars").Set(goqu.Record{"full": true, "epoch": epoch}).Where(goqu.L("id = 1 OR id = 2"), goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx)) // want "staleadmitted"
	})
}

// FillTogether has it within And.
func FillTogether(ctx context.Context, s *concurrency.Session, db *goqu.Database) error {
	return held(ctx, s, func(epoch int64) error {
		all := goqu.And(goqu.C("epoch").Lt(epoch), goqu.L("full = ? OR id = 1", false))
		return changed(db.Update("cellars").Set(goqu.Record{"full": true, "epoch": epoch}).Where(all).Executor().ExecContext(ctx)) // want "staleadmitted"
	})
}
