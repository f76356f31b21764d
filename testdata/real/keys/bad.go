package keys

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// BadBuilder builds it with the time in it.
func (d *Desk) BadBuilder(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("charge-")
	fmt.Fprintf(&b, "%d", time.Now().Unix())
	return d.send(ctx, b.String(), c) // want "unstableidempotency"
}

// BadJoin joins it with the name of the worker.
func (d *Desk) BadJoin(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, strings.Join([]string{"charge", d.worker, c.ID}, "/"), c) // want "unstableidempotency"
}

// BadMap keeps a random one in a map.
func (d *Desk) BadMap(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	m := map[string]string{"key": rand.Text()}
	return d.send(ctx, m["key"], c) // want "unstableidempotency"
}

// BadChannel receives a random one.
func (d *Desk) BadChannel(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	keys := make(chan string, 1)
	keys <- rand.Text()
	return d.send(ctx, <-keys, c) // want "unstableidempotency"
}

// BadClosure draws it in a literal.
func (d *Desk) BadClosure(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	key := func() string { return rand.Text() }
	return d.send(ctx, key(), c) // want "unstableidempotency"
}

// BadParam passes a function that draws one.
func (d *Desk) BadParam(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.with(ctx, c, func(Charge) string { return rand.Text() }) // want "unstableidempotency"
}

// BadJSON decodes a random one that it encoded.
func (d *Desk) BadJSON(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw, err := json.Marshal(Charge{ID: c.ID, Key: rand.Text()})
	if err != nil {
		return err
	}
	var job Charge
	if err := json.Unmarshal(raw, &job); err != nil {
		return err
	}
	return d.send(ctx, job.Key, c) // want "unstableidempotency"
}

// BadInserted draws a key, and stores each one.
func (d *Desk) BadInserted(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	key := rand.Text()
	if _, err := d.db.ExecContext(ctx, `INSERT INTO tries (id, key) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`, c.ID, key); err != nil { // want "unfencedwrite"
		return err
	}
	return d.send(ctx, key, c) // want "unstableidempotency"
}

// BadHashed hashes the time with it.
func (d *Desk) BadHashed(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	h := sha256.New()
	h.Write([]byte(c.ID))
	fmt.Fprintf(h, "/%d", time.Now().UnixNano())
	return d.send(ctx, hex.EncodeToString(h.Sum(nil)), c) // want "unstableidempotency"
}

// BadDerived draws it with the token.
func (d *Desk) BadDerived(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, uuid5("charge", strconv.FormatInt(d.mu.Header().Revision, 10)), c) // want "unstableidempotency"
}

// BadContext has a random one in the context.
func (d *Desk) BadContext(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx = context.WithValue(ctx, keyOf{}, rand.Text())
	key, _ := ctx.Value(keyOf{}).(string)
	return d.send(ctx, key, c) // want "unstableidempotency"
}

// BadField sets a random one in a field.
func (d *Desk) BadField(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c.Key = rand.Text()
	return d.send(ctx, c.Key, c) // want "unstableidempotency"
}

// BadRetry repeats under another key.
func (d *Desk) BadRetry(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	err = d.send(ctx, "charge-"+c.ID, c)
	if err != nil {
		err = d.send(ctx, "again-"+c.ID, c) // want "ambiguousoutcome"
	}
	return err
}

// BadOutcome says that nothing happened.
func (d *Desk) BadOutcome(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := d.send(ctx, "charge-"+c.ID, c); err != nil {
		return d.settle(ctx, c.ID, "failed") // want "ambiguousoutcome"
	}
	return d.settle(ctx, c.ID, "paid")
}

// BadOrder is refused too late.
func (d *Desk) BadOrder(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	resp, err := d.hc.Post("https://pay.example/charges", "text/plain", nil) // want "effectbeforefence"
	if err != nil {
		return err
	}
	resp.Body.Close()
	return d.settle(ctx, c.ID, "paid")
}

// BadNumber numbers the attempts by a counter of the process.
func (d *Desk) BadNumber(ctx context.Context, c Charge) error {
	release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.send(ctx, "charge-"+strconv.FormatInt(attempts.Add(1), 10), c) // want "unstableidempotency"
}
