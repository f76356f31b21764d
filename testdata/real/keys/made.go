package keys

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/google/uuid"
)

// GoodHash makes a number of what is ordered.
func (d *Desk) GoodHash(ctx context.Context, c Charge) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	h := fnv.New64a()
	h.Write([]byte(c.ID))
	return d.send(ctx, fmt.Sprintf("%x", h.Sum64()), c)
}

// BadHash makes it of the time.
func (d *Desk) BadHash(ctx context.Context, c Charge) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", c.ID, time.Now().Unix())
	return d.send(ctx, fmt.Sprintf("%x", h.Sum64()), c) // want "unstableidempotency"
}

// GoodFirst uses the key that was written down first, whoever did so: the row that is there
// stays as it is, and is handed back.
func (d *Desk) GoodFirst(ctx context.Context, c Charge) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	var key string
	err = d.db.QueryRowContext(ctx, `INSERT INTO charge_keys (charge, key) VALUES ($1, $2)
		ON CONFLICT (charge) DO UPDATE SET charge = EXCLUDED.charge RETURNING key`, c.ID, uuid.NewString()).Scan(&key)
	if err != nil {
		return err
	}
	return d.send(ctx, key, c)
}

// BadFirst lets the last one win.
func (d *Desk) BadFirst(ctx context.Context, c Charge) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	_, err = d.db.ExecContext(ctx, `INSERT INTO last_keys (charge, key) VALUES ($1, $2) ON CONFLICT (charge) DO UPDATE SET key = EXCLUDED.key`, c.ID, uuid.NewString()) // want "unfencedwrite"
	return err
}
