// Package claimrow takes the number of a claim from a record that holds the row which the
// claim hands back.
package claimrow

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
)

var errStale = errors.New("stale owner")

type turn struct {
	Name  string `db:"name"`
	Epoch int64  `db:"turn_no"`
}

type desk struct {
	db   *sqlx.DB
	pool *pgxpool.Pool
}

func (d *desk) seat(ctx context.Context, id int64, epoch any) error {
	res, err := d.db.ExecContext(ctx, `UPDATE seats SET taken = true, last_fence = $2 WHERE id = $1 AND last_fence < $2`, id, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

const claim = `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s'
	WHERE name = $1 AND until < now() RETURNING name, turn_no`

// GoodGet fills the record at once.
func (d *desk) GoodGet(ctx context.Context, name string, id int64) error {
	var t turn
	//fencelint:lock correctness
	if err := d.db.GetContext(ctx, &t, claim, name); err != nil {
		return err
	}
	return d.seat(ctx, id, t.Epoch)
}

// GoodCollect makes it from the rows.
func (d *desk) GoodCollect(ctx context.Context, name string, id int64) error {
	//fencelint:lock correctness
	rows, err := d.pool.Query(ctx, claim, name)
	if err != nil {
		return err
	}
	t, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[turn])
	if err != nil {
		return err
	}
	return d.seat(ctx, id, t.Epoch)
}

// GoodNumber asks for the number alone.
func (d *desk) GoodNumber(ctx context.Context, name string, id int64) error {
	//fencelint:lock correctness
	rows, err := d.pool.Query(ctx, `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s'
		WHERE name = $1 AND until < now() RETURNING turn_no`, name)
	if err != nil {
		return err
	}
	n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	return d.seat(ctx, id, sql.NullInt64{Int64: n, Valid: n > 0})
}

// BadGet reads the number in a question of its own.
func (d *desk) BadGet(ctx context.Context, name string, id int64) error {
	var mine turn
	//fencelint:lock correctness
	if err := d.db.GetContext(ctx, &mine, claim, name); err != nil {
		return err
	}
	var now turn
	if err := d.db.GetContext(ctx, &now, `SELECT name, turn_no FROM turns WHERE name = $1`, name); err != nil {
		return err
	}
	return d.seat(ctx, id, now.Epoch) // want "unboundcounter"
}
