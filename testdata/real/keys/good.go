package keys

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// GoodBuilder builds the key piece by piece.
func (d *Desk) GoodBuilder(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("charge-")
	b.WriteString(c.ID)
	return d.send(ctx, b.String(), c)
}

// GoodJoin joins it.
func (d *Desk) GoodJoin(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, strings.Join([]string{"charge", c.ID}, "/"), c)
}

// GoodMap keeps it in a map.
func (d *Desk) GoodMap(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	m := map[string]string{"key": "charge-" + c.ID}
	return d.send(ctx, m["key"], c)
}

// GoodChannel receives it.
func (d *Desk) GoodChannel(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	keys := make(chan string, 1)
	keys <- "charge-" + c.ID
	return d.send(ctx, <-keys, c)
}

// GoodClosure has it from a literal.
func (d *Desk) GoodClosure(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	key := func() string { return "charge-" + c.ID }
	return d.send(ctx, key(), c)
}

// GoodParam has it from a function that it passes on.
func (d *Desk) GoodParam(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.with(ctx, c, func(c Charge) string { return "charge-" + c.ID })
}

// GoodJSON decodes what it encoded.
func (d *Desk) GoodJSON(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw, err := json.Marshal(Charge{ID: c.ID, Key: "charge-" + c.ID})
	if err != nil {
		return err
	}
	var job Charge
	if err := json.Unmarshal(raw, &job); err != nil {
		return err
	}
	return d.send(ctx, job.Key, c)
}

// GoodInserted draws a key, and takes the one that was stored first.
func (d *Desk) GoodInserted(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	key := rand.Text()
	err = d.db.QueryRowContext(ctx, `INSERT INTO attempts (id, key) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET id = attempts.id RETURNING key`, c.ID, key).Scan(&key)
	if err != nil {
		return err
	}
	return d.send(ctx, key, c)
}

// GoodHashed hashes what is ordered.
func (d *Desk) GoodHashed(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	h := sha256.New()
	h.Write([]byte(c.ID))
	fmt.Fprintf(h, "/%d", c.Cents)
	return d.send(ctx, hex.EncodeToString(h.Sum(nil)), c)
}

// GoodDerived derives an id from the order.
func (d *Desk) GoodDerived(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, uuid5("charge", c.ID), c)
}

// GoodContext has it in the context.
func (d *Desk) GoodContext(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx = context.WithValue(ctx, keyOf{}, "charge-"+c.ID)
	key, _ := ctx.Value(keyOf{}).(string)
	return d.send(ctx, key, c)
}

// GoodField sets it in a field.
func (d *Desk) GoodField(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c.Key = "charge-" + c.ID
	return d.send(ctx, c.Key, c)
}

// GoodRetry repeats under one key, drawn before.
func (d *Desk) GoodRetry(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	for range 3 {
		if err = d.send(ctx, "charge-"+c.ID, c); err == nil {
			return d.settle(ctx, c.ID, "paid")
		}
	}
	return err
}

// GoodOutcome keeps what is not known.
func (d *Desk) GoodOutcome(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := d.send(ctx, "charge-"+c.ID, c); err != nil {
		return d.settle(ctx, c.ID, "unknown")
	}
	return d.settle(ctx, c.ID, "paid")
}

// GoodOrder is refused first.
func (d *Desk) GoodOrder(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := d.settle(ctx, c.ID, "paying"); err != nil {
		return err
	}
	return d.send(ctx, "charge-"+c.ID, c)
}

// GoodHanded is handed the key.
func (d *Desk) GoodHanded(ctx context.Context, c Charge, key string) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, key, c)
}
