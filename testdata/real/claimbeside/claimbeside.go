// Package claimbeside has its claims in one table and its data in another: the row of the
// claim is locked and compared by the statement that writes.
package claimbeside

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
)

var errLost = errors.New("the claim is lost")

func held(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

const take = `UPDATE kiln_lease SET epoch = epoch + 1, until = now() + interval '20 seconds' WHERE kiln = $1 AND until < now() RETURNING epoch`

// GoodEpoch asks for the claim's own number.
func GoodEpoch(ctx context.Context, db *sql.DB, kiln string, degrees int) error {
	var epoch int64
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, kiln).Scan(&epoch); err != nil {
		return err
	}
	return held(db.ExecContext(ctx, `WITH own AS (SELECT l.kiln FROM kiln_lease l WHERE l.kiln = $1 AND l.epoch = $2 FOR UPDATE)
		UPDATE kilns k SET degrees = $3 FROM own WHERE k.kiln = own.kiln`, kiln, epoch, degrees))
}

// BadOther asks for any other number.
func BadOther(ctx context.Context, db *sql.DB, kiln string, degrees int) error {
	var epoch int64
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, kiln).Scan(&epoch); err != nil {
		return err
	}
	return held(db.ExecContext(ctx, // want "staleadmitted"
		`WITH own AS (SELECT l.kiln FROM kiln_lease l WHERE l.kiln = $1 AND l.epoch <> $2 FOR UPDATE)
		UPDATE kilns k SET degrees = $3 FROM own WHERE k.kiln = own.kiln`, kiln, epoch, degrees))
}

// BadEither asks for the kiln or the number.
func BadEither(ctx context.Context, db *sql.DB, kiln string, degrees int) error {
	var epoch int64
	//fencelint:lock correctness
	if err := db.QueryRowContext(ctx, take, kiln).Scan(&epoch); err != nil {
		return err
	}
	return held(db.ExecContext(ctx, // want "staleadmitted"
		`WITH own AS (SELECT l.kiln FROM kiln_lease l WHERE l.kiln = $1 OR l.epoch = $2 FOR UPDATE)
		UPDATE kilns k SET degrees = $3 FROM own WHERE k.kiln = own.kiln`, kiln, epoch, degrees))
}

const sign = `UPDATE shop_lease SET holder = $2, until = now() + interval '20 seconds' WHERE shop = $1 AND until < now()`

// GoodSigned asks for its own value.
func GoodSigned(ctx context.Context, db *sql.DB, shop string, open bool) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := held(db.ExecContext(ctx, sign, shop, me)); err != nil {
		return err
	}
	return held(db.ExecContext(ctx, `WITH own AS (SELECT l.shop FROM shop_lease l WHERE l.shop = $1 AND l.holder = $2 FOR UPDATE)
		UPDATE shops s SET open = $3 FROM own WHERE s.shop = own.shop`, shop, me, open))
}

// BadSorted takes values that have no order for numbers.
func BadSorted(ctx context.Context, db *sql.DB, shop string, open bool) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := held(db.ExecContext(ctx, sign, shop, me)); err != nil {
		return err
	}
	return held(db.ExecContext(ctx, // want "opaquetoken|unfencedwrite"
		`WITH own AS (SELECT l.shop FROM shop_lease l WHERE l.shop = $1 AND l.holder <= $2 FOR UPDATE)
		UPDATE shops s SET open = $3 FROM own WHERE s.shop = own.shop`, shop, me, open))
}
