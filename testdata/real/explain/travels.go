package explain

import (
	"context"
	"encoding/json"
	"errors"
)

// note is what goes from hand to hand.
type note struct {
	Turn int64 `json:"turn"`
}

// busy tells whose turn it is.
type busy struct{ turn int64 }

func (b *busy) Error() string { return "busy" }

func (d *Depot) told(turn int64) error { return &busy{turn: turn} }

// GoodTravel has the epoch written down, told in an error, and handed over.
func (d *Depot) GoodTravel(ctx context.Context, id int64) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	text, err := json.Marshal(note{Turn: d.mu.Header().Revision})
	if err != nil {
		return err
	}
	var read note
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	refusal := d.told(read.Turn)
	var b *busy
	if !errors.As(refusal, &b) {
		return refusal
	}
	turns := make(chan int64, 1)
	turns <- b.turn
	next := <-turns
	return d.cart(ctx, id, next)
}

func (d *Depot) cart(ctx context.Context, id, turn int64) error {
	return one(d.db.ExecContext(ctx, `UPDATE carts SET shipped = true, fence = $2 WHERE id = $1 AND fence < $2`, id, turn))
}
