package tokens

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"fencelint.example/real/tokens/clerk"
)

// Values that a call may change, or not yet have changed, where they are read.

func keep(p *int64, v int64) { *p = v }

func keepLarge(p *int64, v int64) {
	if v > 5 {
		*p = v
	}
}

// GoodKept is given the token by a function that always stores it.
func (d *Desk) GoodKept(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := time.Now().UnixNano()
	keep(&n, turn)
	return d.write(ctx, id, n)
}

// BadKeptPerhaps is given the token by a function that stores some only.
func (d *Desk) BadKeptPerhaps(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := time.Now().UnixNano()
	keepLarge(&n, turn)
	return d.write(ctx, id, n) // want "clocktoken"
}

// BadKeptAside is given the token by a goroutine, which may come too late.
func (d *Desk) BadKeptAside(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := time.Now().UnixNano()
	go keep(&n, turn)
	return d.write(ctx, id, n) // want "clocktoken"
}

// BadKeptAtEnd is given the token when the function ends.
func (d *Desk) BadKeptAtEnd(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := time.Now().UnixNano()
	defer keep(&n, turn)
	return d.write(ctx, id, n) // want "clocktoken"
}

type stamped struct{ Token int64 }

// UnmarshalJSON takes the time for the token.
func (s *stamped) UnmarshalJSON([]byte) error {
	s.Token = time.Now().UnixNano()
	return nil
}

// BadOwnCode reads the token back with code that sets another number.
func (d *Desk) BadOwnCode(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b, err := json.Marshal(stamped{Token: turn})
	if err != nil {
		return err
	}
	var o stamped
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	return d.write(ctx, id, o.Token) // want "untrustedtoken"
}

// BadWrittenAtEnd writes the guard when the statement is long gone.
func (d *Desk) BadWrittenAtEnd(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE ledgers SET booked = true, fence = $2 WHERE id = $1")
	defer b.WriteString(" AND fence < $2")
	return clerk.One(d.db.ExecContext(ctx, b.String(), id, turn)) // want "unprovedwrite"
}

// BadNumberSetAgain gives the number another value.
func (d *Desk) BadNumberSetAgain(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b := new(big.Int).SetInt64(turn)
	b.SetInt64(time.Now().UnixNano())
	return d.write(ctx, id, b.Int64()) // want "unprovedwrite"
}

// BadCutOff cuts the guard off.
func (d *Desk) BadCutOff(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt := fmt.Sprintf("UPDATE ledgers SET booked = true, fence = $2 WHERE %.7s", "id = $1 AND fence < $2")
	return clerk.One(d.db.ExecContext(ctx, stmt, id, turn)) // want "unprovedwrite"
}

// BadReplaced puts another condition in the guard's place.
func (d *Desk) BadReplaced(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1", "fence < $2"}
	conds[1] = "open"
	stmt := "UPDATE ledgers SET booked = true, fence = $2 WHERE " + strings.Join(conds, " AND ")
	return clerk.One(d.db.ExecContext(ctx, stmt, id, turn)) // want "tokennotcompared"
}

type form struct{ token int64 }

func withToken(t int64) func(*form) { return func(o *form) { o.token = t } }

func (d *Desk) writeLate(ctx context.Context, id int64, options ...func(*form)) error {
	o := &form{}
	for _, set := range options {
		set(o)
	}
	o.token = time.Now().UnixNano()
	return d.write(ctx, id, o.token)
}

// BadOptionLost gives the token as an option, which a later store overwrites.
func (d *Desk) BadOptionLost(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.writeLate(ctx, id, withToken(turn)) // want "clocktoken"
}

func withLargeToken(t int64) func(*form) {
	return func(o *form) {
		if t > 5 {
			o.token = t
		}
	}
}

func (d *Desk) writeWith(ctx context.Context, id int64, options ...func(*form)) error {
	o := &form{token: time.Now().UnixNano()}
	for _, set := range options {
		set(o)
	}
	return d.write(ctx, id, o.token)
}

// GoodOption gives the token as an option, in place of another.
func (d *Desk) GoodOption(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.writeWith(ctx, id, withToken(turn))
}

// BadOptionPerhaps gives it by an option that sets some only.
func (d *Desk) BadOptionPerhaps(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.writeWith(ctx, id, withLargeToken(turn)) // want "clocktoken"
}

type badge struct{ number int64 }

func (b *badge) set(n int64) error {
	if n == 0 {
		return fmt.Errorf("no number")
	}
	b.number = n
	return nil
}

func (b *badge) raise(n int64) {
	if n > 5 {
		b.number = n
	}
}

// GoodSet keeps the token by a method that stores it or fails.
func (d *Desk) GoodSet(ctx context.Context, id int64, b *badge) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b.number = time.Now().UnixNano()
	if err := b.set(turn); err != nil {
		return err
	}
	return d.write(ctx, id, b.number)
}

// BadRaise keeps it by a method that stores some only.
func (d *Desk) BadRaise(ctx context.Context, id int64, b *badge) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b.number = time.Now().UnixNano()
	b.raise(turn)
	return d.write(ctx, id, b.number) // want "clocktoken"
}

// BadElementSomewhere replaces an element that is not known.
func (d *Desk) BadElementSomewhere(ctx context.Context, id int64, i int) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := []string{"id = $1", "fence < $2"}
	conds[i] = "open"
	stmt := "UPDATE ledgers SET booked = true, fence = $2 WHERE " + strings.Join(conds, " AND ")
	return clerk.One(d.db.ExecContext(ctx, stmt, id, turn)) // want "tokennotcompared"
}
