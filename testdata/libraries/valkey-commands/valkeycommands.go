// Package valkeycommands locks with SET NX, built as a command.
package valkeycommands

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"github.com/valkey-io/valkey-go"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c valkey.Client, db *sql.DB) error {
	//fencelint:lock correctness
	if err := c.Do(ctx, c.B().Set().Key("lock:stall").Value(uuid.NewString()).Nx().Px(time.Minute).Build()).Error(); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored does not look at the answer.
func Ignored(ctx context.Context, c valkey.Client, db *sql.DB) error {
	//fencelint:lock correctness
	c.Do(ctx, c.B().Set().Key("lock:barn").Value(uuid.NewString()).Nx().Px(time.Minute).Build()) // want "acquireignored"
	_, err := db.ExecContext(ctx, open)                                                          // want "unfencedwrite"
	return err
}

// Plain sets a key whoever has it, which is no lock.
func Plain(ctx context.Context, c valkey.Client) error {
	return c.Do(ctx, c.B().Set().Key("page").Value("x").Build()).Error()
}
