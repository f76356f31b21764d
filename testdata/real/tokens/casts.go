package tokens

import (
	"context"

	"fencelint.example/real/tokens/clerk"
)

// BadNarrow compares as an integer of 32 bits.
func (d *Desk) BadNarrow(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.One(d.db.ExecContext(ctx, `UPDATE pages SET booked = true, fence = $2 WHERE id = $1 AND fence < $2::int`, id, turn)) // want "fencecolumn"
}

// BadSmall stores as one.
func (d *Desk) BadSmall(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.One(d.db.ExecContext(ctx, `UPDATE sheets SET booked = true, fence = CAST($2 AS smallint) WHERE id = $1 AND fence < $2`, id, turn)) // want "fencecolumn"
}

// BadFloating compares as a floating number.
func (d *Desk) BadFloating(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.One(d.db.ExecContext(ctx, `UPDATE covers SET booked = true, fence = $2 WHERE id = $1 AND fence::float8 < $2`, id, turn)) // want "fencecolumn"
}

// GoodWide casts to an integer of 64 bits, and something else to a narrow one.
func (d *Desk) GoodWide(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.One(d.db.ExecContext(ctx, `UPDATE spines SET booked = true, fence = $2::bigint WHERE id = $1 AND fence < CAST($2 AS bigint) AND pages::int < 9`, id, turn))
}
