// Package goqu writes through a query builder whose conditions are expressions.
package goqu

import (
	"context"
	"database/sql"
	"errors"

	"github.com/doug-martin/goqu/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/cellars")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fill compares by an operator of a column.
func Fill(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("cellars").Set(goqu.Record{"full": true, "epoch": epoch}).
			Where(goqu.C("id").Eq(id), goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx))
	})
}

// FillBy compares by a map of operators.
func FillBy(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.From("cellars").Where(goqu.Ex{"id": id, "epoch": goqu.Op{"lt": epoch}}).
			Update().Set(goqu.Record{"epoch": epoch}).Executor().Exec())
	})
}

// FillText has the statement taken out first.
func FillText(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		text, args, err := goqu.Update("cellars").Set(goqu.Record{"epoch": epoch}).
			Where(goqu.I("id").Eq(id), goqu.I("cellars.epoch").Lt(epoch)).Prepared(true).ToSQL()
		if err != nil {
			return err
		}
		return changed(db.ExecContext(ctx, text, args...))
	})
}

// Literal writes the condition itself.
func Literal(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("cellars").Set(goqu.Record{"epoch": epoch}).
			Where(goqu.And(goqu.Ex{"id": id}, goqu.L("epoch < ?", epoch))).Executor().ExecContext(ctx))
	})
}

// Upsert compares where the row is there already.
func Upsert(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Insert("cellars").Rows(goqu.Record{"id": id, "epoch": epoch}).
			OnConflict(goqu.DoUpdate("id", goqu.Record{"epoch": epoch}).Where(goqu.I("cellars.epoch").Lt(epoch))).Executor().ExecContext(ctx))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.WithTx(func(tx *goqu.TxDatabase) error {
			if err := changed(tx.Update("fences").Set(goqu.Record{"epoch": epoch}).Where(goqu.C("epoch").Lte(epoch)).Executor().Exec()); err != nil {
				return err
			}
			_, err := tx.Update("racks").Set(goqu.Record{"full": true}).Where(goqu.C("id").Eq(id)).Executor().Exec()
			return err
		})
	})
}

// Either is open on one side.
func Either(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("either").Set(goqu.Record{"epoch": epoch}). // want "staleadmitted"
											Where(goqu.ExOr{"id": id, "epoch": goqu.Op{"lt": epoch}}).Executor().ExecContext(ctx))
	})
}

// Or is, too.
func Or(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("either").Set(goqu.Record{"epoch": epoch}). // want "staleadmitted"
											Where(goqu.Or(goqu.C("id").Eq(id), goqu.C("epoch").Lt(epoch))).Executor().ExecContext(ctx))
	})
}

// Lost drops the result of the step that compares.
func Lost(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.Update("lost").Set(goqu.Record{"epoch": epoch}).Where(goqu.C("id").Eq(id))
		q.Where(goqu.C("epoch").Lt(epoch))
		return changed(q.Executor().ExecContext(ctx)) // want "tokennotcompared"
	})
}

// Cleared takes the conditions back.
func Cleared(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("cleared").Set(goqu.Record{"epoch": epoch}).Where(goqu.C("epoch").Lt(epoch)).ClearWhere(). // want "tokennotcompared"
																	Where(goqu.C("id").Eq(id)).Executor().ExecContext(ctx))
	})
}

// Forgets does not store the epoch.
func Forgets(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("forgets").Set(goqu.Record{"full": true}).Where(goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx)) // want "fencenotadvanced"
	})
}

// Overwrites has an upsert without a condition.
func Overwrites(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Insert("overwrites").Rows(goqu.Record{"id": id, "epoch": epoch}). // want "tokennotcompared"
													OnConflict(goqu.DoUpdate("id", goqu.Record{"epoch": epoch})).Executor().ExecContext(ctx))
	})
}

// Deaf does not look at the count.
func Deaf(ctx context.Context, s *concurrency.Session, db *goqu.Database) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Update("deaf").Set(goqu.Record{"epoch": epoch}).Where(goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx) // want "rejectionignored"
		return err
	})
}

// Given has a condition that its caller supplies.
func Given(ctx context.Context, s *concurrency.Session, db *goqu.Database, cond func() goqu.Ex) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("given").Set(goqu.Record{"epoch": epoch}).Where(goqu.C("epoch").Lt(epoch), cond()).Executor().ExecContext(ctx)) // want "unprovedwrite"
	})
}

// SetTwice stores what the last step sets, which is not the epoch.
func SetTwice(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Update("twice").Set(goqu.Record{"epoch": epoch}).Set(goqu.Record{"full": true}). // want "fencenotadvanced"
															Where(goqu.C("id").Eq(id), goqu.C("epoch").Lt(epoch)).Executor().ExecContext(ctx))
	})
}

// InsertFrom leaves the conditions of the query behind that it begins with.
func InsertFrom(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.From("inserted").Where(goqu.C("epoch").Lt(epoch)).Insert().Rows(goqu.Record{"id": id, "epoch": epoch}). // want "tokennotcompared"
																		OnConflict(goqu.DoUpdate("id", goqu.Record{"epoch": epoch})).Executor().ExecContext(ctx))
	})
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
