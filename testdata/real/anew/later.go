package anew

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Preferred is the key of this attempt, which the statement prefers to the one that is kept.
func (c *carrier) Preferred(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, // want "unfencedwrite"
			`UPDATE intents SET key = COALESCE($2, key) WHERE parcel = $1 RETURNING key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key) // want "unstableidempotency"
	})
}

// Prefixed has the new one within a text.
func (c *carrier) Prefixed(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, // want "unfencedwrite"
			`UPDATE intents SET key = 'parcel-' || $2 WHERE parcel = $1 RETURNING key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key) // want "unstableidempotency"
	})
}

// KeptFirst is the key that is kept, and a new one only where there is none.
func (c *carrier) KeptFirst(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		var key string
		err := c.db.QueryRowContext(ctx, // want "unfencedwrite"
			`UPDATE intents AS i SET key = COALESCE(i.key, $2) WHERE i.parcel = $1 RETURNING i.key`, id, uuid.NewString()).Scan(&key)
		if err != nil {
			return err
		}
		return c.send(ctx, key)
	})
}

// Until has the time at which this attempt is given up.
func (c *carrier) Until(ctx context.Context, id string) error {
	return c.locked(ctx, id, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		end, _ := ctx.Deadline()
		return c.send(ctx, id+end.String()) // want "unstableidempotency"
	})
}
