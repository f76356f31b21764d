// Package claimtx writes in the transaction of a claim: in that which takes it, or in one
// that compares it first.
package claimtx

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

const take = `UPDATE vats SET owner = $1, until = now() + interval '1 minute'
	WHERE id = (SELECT id FROM vats WHERE until < now() ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`

// GoodTake marks what belongs to the row while nobody else gets at it.
func GoodTake(ctx context.Context, db *sql.DB) (id int64, owner string, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, "", err
	}
	defer tx.Rollback()
	owner = uuid.NewString()
	//fencelint:lock correctness
	if err := tx.QueryRowContext(ctx, take, owner).Scan(&id); err != nil {
		return 0, "", err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE vat_events SET tries = tries + 1 WHERE vat = $1`, id); err != nil {
		return 0, "", err
	}
	return id, owner, tx.Commit()
}

// BadTake does so when the claim is there for all to see, and may have run out.
func BadTake(ctx context.Context, db *sql.DB) (id int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	if err := tx.QueryRowContext(ctx, take, uuid.NewString()).Scan(&id); err != nil {
		return 0, err
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	_, err = db.ExecContext(ctx, `UPDATE vat_marks SET tries = tries + 1 WHERE vat = $1`, id) // want "unfencedwrite"
	return id, err
}

// BadPool has the claim in no transaction.
func BadPool(ctx context.Context, db *sql.DB) (id int64, err error) {
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, uuid.NewString()).Scan(&id); err != nil {
		return 0, err
	}
	_, err = db.ExecContext(ctx, `UPDATE vat_pools SET tries = tries + 1 WHERE vat = $1`, id) // want "unfencedwrite"
	return id, err
}

// GoodDone names the claim first: the row of the claim is locked from there on.
func GoodDone(ctx context.Context, db *sql.DB) error {
	id, owner, err := GoodTake(ctx, db)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := one(tx.ExecContext(ctx, `UPDATE vats SET level = level + 1 WHERE id = $1 AND owner = $2`, id, owner)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO vat_history (vat, what) VALUES ($1, 'done')`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// BadDone names it in a transaction of its own.
func BadDone(ctx context.Context, db *sql.DB) error {
	id, owner, err := GoodTake(ctx, db)
	if err != nil {
		return err
	}
	if err := one(db.ExecContext(ctx, `UPDATE vats SET level = level + 1 WHERE id = $1 AND owner = $2`, id, owner)); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `INSERT INTO vat_diary (vat, what) VALUES ($1, 'done')`, id) // want "unfencedwrite"
	return err
}

// BadName names it by what each claim brings: one cause, said once.
func BadName(ctx context.Context, db *sql.DB) error {
	var id int64
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, `UPDATE tubs SET owner = 'worker', until = now() + interval '1 minute' WHERE until < now() RETURNING id`).Scan(&id); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := one(tx.ExecContext(ctx, `UPDATE tubs SET level = 1 WHERE id = $1 AND owner = 'worker'`, id)); err != nil { // want "identityreused"
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO tub_history (tub, what) VALUES ($1, 'done')`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// GoodLast gives the claim back ahead of its last write: both are there at once.
func GoodLast(ctx context.Context, db *sql.DB) error {
	var id int64
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, me).Scan(&id); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := one(tx.ExecContext(ctx, `UPDATE vats SET level = 2, until = NULL WHERE id = $1 AND owner = $2`, id, me)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO vat_history (vat, what) VALUES ($1, 'last')`, id); err != nil {
		return err
	}
	return tx.Commit()
}

// BadLast gives it back in a transaction of its own.
func BadLast(ctx context.Context, db *sql.DB) error {
	var id int64
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, me).Scan(&id); err != nil {
		return err
	}
	if err := one(db.ExecContext(ctx, `UPDATE vats SET level = 2, until = NULL WHERE id = $1 AND owner = $2`, id, me)); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE vats SET level = 3 WHERE id = $1`, id) // want "writeafterrelease" "bypasswrite"
	return err
}
