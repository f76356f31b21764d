// Package anew sends parcels under keys that a table keeps, or that are made for the occasion.
package anew

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strconv"

	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type parcel struct {
	id      string
	version int
}

// carrier sends parcels.
type carrier struct {
	sess *concurrency.Session
	api  *http.Client
	db   *sql.DB
	sent int
}

//fencelint:lock correctness
func (c *carrier) locked(ctx context.Context, id string, f func(ctx context.Context) error) error {
	m := concurrency.NewMutex(c.sess, "/parcels/"+id)
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	return f(ctx)
}

func (c *carrier) send(ctx context.Context, key string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://carrier.example/shipments", bytes.NewReader(nil))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := c.api.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("carrier: %s", resp.Status)
	}
	return nil
}

// Kept is the key that was there first.
func (c *carrier) Kept(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, `INSERT INTO intents (parcel, key) VALUES ($1, $2)
			ON CONFLICT (parcel) DO UPDATE SET key = COALESCE(intents.key, EXCLUDED.key) RETURNING key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key)
	})
}

// Overwritten is the key of this attempt.
func (c *carrier) Overwritten(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, // want "unfencedwrite"
			`INSERT INTO intents (parcel, key) VALUES ($1, $2) ON CONFLICT (parcel) DO UPDATE SET key = EXCLUDED.key RETURNING key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key) // want "unstableidempotency"
	})
}

// Drawn is made by the database.
func (c *carrier) Drawn(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, `UPDATE intents SET key = gen_random_uuid() WHERE parcel = $1 RETURNING key`, id).Scan(&key) // want "unfencedwrite"
		if err != nil {
			return err
		}
		return c.send(ctx, key) // want "unstableidempotency"
	})
}

// Returned is what the row has, which is something else that is set.
func (c *carrier) Returned(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, `INSERT INTO intents (parcel, key) VALUES ($1, $2)
			ON CONFLICT (parcel) DO UPDATE SET parcel = EXCLUDED.parcel RETURNING key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key)
	})
}

// Counted counts in this process.
func (c *carrier) Counted(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		c.sent++
		return c.send(ctx, id+"#"+strconv.Itoa(c.sent)) // want "unstableidempotency"
	})
}

// Versioned counts in the record.
func (c *carrier) Versioned(ctx context.Context, p *parcel) error {
	p.version++
	return c.locked(ctx, p.id, func(ctx context.Context) error {
		return c.send(ctx, p.id+"#"+strconv.Itoa(p.version))
	})
}
