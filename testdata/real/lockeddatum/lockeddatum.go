// Package lockeddatum locks a row in the transaction that decides about it and writes it.
package lockeddatum

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errSpent = errors.New("it is spent")

// Spend decides about the column that it sets, and nobody changes it in between.
func Spend(ctx context.Context, m *concurrency.Mutex, pool *pgxpool.Pool, code string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var spent bool
		if err := tx.QueryRow(ctx, `SELECT spent FROM coupons WHERE code = $1 FOR UPDATE`, code).Scan(&spent); err != nil {
			return err
		}
		if spent {
			return errSpent
		}
		_, err := tx.Exec(ctx, `UPDATE coupons SET spent = true WHERE code = $1`, code)
		return err
	})
}

// Withdraw computes what it sets from what it has locked.
func Withdraw(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id, cents int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var has int64
	if err := tx.QueryRowContext(ctx, `SELECT cents FROM purses WHERE id = $1 FOR UPDATE`, id).Scan(&has); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE purses SET cents = $2 WHERE id = $1`, id, has-cents); err != nil {
		return err
	}
	return tx.Commit()
}

// Fenced asks for an order of the owners, which a row lock has not.
func Fenced(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id, cents int64) error {
	//fencelint:lock correctness contract=fence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var has int64
	if err := tx.QueryRowContext(ctx, `SELECT cents FROM bags WHERE id = $1 FOR UPDATE`, id).Scan(&has); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE bags SET cents = $2 WHERE id = $1`, id, has-cents); err != nil { // want "casnotfence"
		return err
	}
	return tx.Commit()
}

// OtherRow locks one row and writes another.
func OtherRow(ctx context.Context, m *concurrency.Mutex, db *sql.DB, from, to, cents int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var has int64
	if err := tx.QueryRowContext(ctx, `SELECT cents FROM tills WHERE id = $1 FOR UPDATE`, from).Scan(&has); err != nil {
		return err
	}
	if has < cents {
		return errSpent
	}
	if _, err := tx.ExecContext(ctx, `UPDATE tills SET cents = $2 WHERE id = $1`, to, has-cents); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// OtherColumn decides about one column and sets another, by a value made long before.
func OtherColumn(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id int64, text string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var open bool
	if err := tx.QueryRowContext(ctx, `SELECT open FROM letters WHERE id = $1 FOR UPDATE`, id).Scan(&open); err != nil {
		return err
	}
	if !open {
		return errSpent
	}
	if _, err := tx.ExecContext(ctx, `UPDATE letters SET text = $2 WHERE id = $1`, id, text); err != nil { // want "unfencedwrite"
		return err
	}
	return tx.Commit()
}

// InPool locks the row for no longer than it takes to read it.
func InPool(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id, cents int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var has int64
	if err := db.QueryRowContext(ctx, `SELECT cents FROM pockets WHERE id = $1 FOR UPDATE`, id).Scan(&has); err != nil {
		return err
	}
	if has < cents {
		return errSpent
	}
	_, err := db.ExecContext(ctx, `UPDATE pockets SET cents = $2 WHERE id = $1`, id, has-cents) // want "checkthenact"
	return err
}
