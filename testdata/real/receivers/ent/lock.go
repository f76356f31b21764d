package app

import (
	"context"

	"fencelint.example/real/receivers/ent/ent"
	"fencelint.example/real/receivers/ent/ent/booth"
)

// Nightly keeps a lock in a row of its own, writes while it is there, and deletes
// whatever row is there then.
func Nightly(ctx context.Context, c *ent.Client, night int64) error {
	//fencelint:lock correctness
	if err := c.Lock.Create().SetName("nightly").Exec(ctx); err != nil {
		return err
	}
	defer unlock(ctx, c)                                                    // want "unfencedwrite"
	_, err := c.Booth.Update().Where(booth.ID(7)).SetEpoch(night).Save(ctx) // want "unfencedwrite"
	return err
}

func unlock(ctx context.Context, c *ent.Client) error {
	_, err := c.Lock.Delete().Exec(ctx)
	return err
}
