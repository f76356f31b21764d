package claimrow

import (
	"context"

	"github.com/google/uuid"
)

func (d *desk) claimAs(ctx context.Context, name, me string) error {
	res, err := d.db.ExecContext(ctx, `UPDATE turns SET owner = $2, turn_no = turn_no + 1, until = now() + interval '30 s' WHERE name = $1 AND until < now()`, name, me)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}

// GoodAsked asks for the number of the row that has its own mark: who has lost it reads nothing.
func (d *desk) GoodAsked(ctx context.Context, name string, id int64) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := d.claimAs(ctx, name, me); err != nil {
		return err
	}
	var n int64
	if err := d.db.QueryRowContext(ctx, `SELECT turn_no FROM turns WHERE name = $1 AND owner = $2`, name, me).Scan(&n); err != nil {
		return err
	}
	return d.seat(ctx, id, n)
}

// BadAsked asks for that of the row, whoever has it.
func (d *desk) BadAsked(ctx context.Context, name string, id int64) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := d.claimAs(ctx, name, me); err != nil {
		return err
	}
	var n int64
	if err := d.db.QueryRowContext(ctx, `SELECT turn_no FROM turns WHERE name = $1`, name).Scan(&n); err != nil {
		return err
	}
	return d.seat(ctx, id, n) // want "unboundcounter"
}

// BadEither asks for its own mark or a time that has not come.
func (d *desk) BadEither(ctx context.Context, name string, id int64) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if err := d.claimAs(ctx, name, me); err != nil {
		return err
	}
	var n int64
	if err := d.db.QueryRowContext(ctx, `SELECT turn_no FROM turns WHERE name = $1 AND (owner = $2 OR until > now())`, name, me).Scan(&n); err != nil {
		return err
	}
	return d.seat(ctx, id, n) // want "unboundcounter"
}

// BadNamed has a mark that the next owner of the name has as well.
func (d *desk) BadNamed(ctx context.Context, name string, id int64) error {
	const me = "clerk"
	//fencelint:lock correctness
	if err := d.claimAs(ctx, name, me); err != nil {
		return err
	}
	var n int64
	if err := d.db.QueryRowContext(ctx, `SELECT turn_no FROM turns WHERE name = $1 AND owner = $2`, name, me).Scan(&n); err != nil {
		return err
	}
	return d.seat(ctx, id, n) // want "unboundcounter"
}
