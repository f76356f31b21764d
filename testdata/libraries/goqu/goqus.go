// Package goqus locks rows in a transaction.
package goqus

import (
	"context"

	"github.com/doug-martin/goqu/v9"
	"github.com/doug-martin/goqu/v9/exp"
)

// Locked writes in the transaction that holds the row.
func Locked(ctx context.Context, db *goqu.Database) error {
	return db.WithTx(func(tx *goqu.TxDatabase) error {
		var id int64
		if _, err := tx.From("stalls").Select("id").Where(goqu.C("id").Eq(1)).ForUpdate(exp.Wait).ScanValContext(ctx, &id); err != nil {
			return err
		}
		_, err := tx.Update("stalls").Set(goqu.Record{"open": true}).Where(goqu.C("id").Eq(1)).Executor().ExecContext(ctx)
		return err
	})
}

// Unlocked locks outside of a transaction, where the lock ends with the statement; only a
// directive would make it a lock.
func Unlocked(ctx context.Context, db *goqu.Database) error {
	var id int64
	if _, err := db.From("stalls").Select("id").Where(goqu.C("id").Eq(1)).ForUpdate(exp.Wait).ScanValContext(ctx, &id); err != nil {
		return err
	}
	_, err := db.Update("stalls").Set(goqu.Record{"open": true}).Where(goqu.C("id").Eq(1)).Executor().ExecContext(ctx)
	return err
}
