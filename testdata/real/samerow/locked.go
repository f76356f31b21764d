package samerow

import (
	"context"
	"database/sql"
)

// GoodLocked reads the row once more, locks it and chooses it by its key.
func GoodLocked(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "locked", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `WITH g AS (SELECT id FROM entries WHERE account = 'a' AND epoch < $1 ORDER BY id LIMIT 1 FOR UPDATE)
			UPDATE entries SET booked = true, epoch = $1 FROM g WHERE entries.id = g.id`, epoch)
	})
}

// GoodChosen asks for the key of one row.
func GoodChosen(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "chosen", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `UPDATE entries SET booked = true, epoch = $1
			WHERE id = (SELECT e.id FROM entries e WHERE e.state = 'new' AND e.epoch < $1 LIMIT 1 FOR UPDATE SKIP LOCKED)`, epoch)
	})
}

const unlocked = `WITH g AS (SELECT id FROM entries WHERE account = 'a' AND epoch < $1)
			UPDATE entries SET booked = true, epoch = $1 FROM g WHERE entries.id = g.id`

// BadUnlocked does not lock what it reads.
func BadUnlocked(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "unlocked", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, unlocked, epoch) // want "crosstablefence"
	})
}

const shared = `WITH g AS (SELECT account FROM entries WHERE id = 7 AND epoch < $1 FOR UPDATE)
			UPDATE entries SET booked = true, epoch = $1 FROM g WHERE entries.account = g.account`

// BadShared writes rows that share something with the locked one.
func BadShared(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "shared", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, shared, epoch) // want "staleadmitted"
	})
}

const turned = `WITH g AS (SELECT id FROM entries WHERE account = 'a' AND epoch > $1 FOR UPDATE)
			UPDATE entries SET booked = true, epoch = $1 FROM g WHERE entries.id = g.id`

// BadTurned lets older ones through.
func BadTurned(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "turned", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, turned, epoch) // want "staleadmitted"
	})
}
