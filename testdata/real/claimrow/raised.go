package claimrow

import "context"

// GoodRenewed asks for its number where it prolongs the claim, and goes on with the next.
func (d *desk) GoodRenewed(ctx context.Context, name string, id int64) error {
	var n int64
	//fencelint:lock correctness
	if err := d.db.QueryRowContext(ctx, `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s' WHERE name = $1 AND until < now() RETURNING turn_no`, name).Scan(&n); err != nil {
		return err
	}
	if err := d.db.QueryRowContext(ctx, `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s' WHERE name = $1 AND turn_no = $2 RETURNING turn_no`, name, n).Scan(&n); err != nil {
		return err
	}
	return d.seat(ctx, id, n)
}

// BadRenewed asks for the name alone: who has lost the claim gets a number above the newer
// owner's.
func (d *desk) BadRenewed(ctx context.Context, name string, id int64) error {
	var n int64
	//fencelint:lock correctness
	if err := d.db.QueryRowContext(ctx, `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s' WHERE name = $1 AND until < now() RETURNING turn_no`, name).Scan(&n); err != nil {
		return err
	}
	if err := d.db.QueryRowContext(ctx, `UPDATE turns SET turn_no = turn_no + 1, until = now() + interval '30 s' WHERE name = $1 RETURNING turn_no`, name).Scan(&n); err != nil { // want "unfencedwrite"
		return err
	}
	return d.seat(ctx, id, n) // want "unboundcounter"
}
