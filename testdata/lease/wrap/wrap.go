// Package wrap uses wrappers of another package.
package wrap

import (
	"context"
	"database/sql"

	"fencelint.example/lease/wrap/farm"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// BadEnter drops the bool.
func BadEnter(ctx context.Context, g *farm.Gate, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := g.TryEnter(ctx, "me"); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodEnter looks.
func GoodEnter(ctx context.Context, g *farm.Gate, db *sql.DB) error {
	//fencelint:lock correctness
	if ok, err := g.TryEnter(ctx, "me"); err != nil {
		return err
	} else if !ok {
		return farm.ErrBusy
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadLater commits when the barn is open again.
func BadLater(ctx context.Context, b *farm.Barn, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	//fencelint:lock correctness
	err = b.With(ctx, "later", func(ctx context.Context) error {
		_, err := tx.ExecContext(ctx, plain) // want "unfencedwrite"
		return err
	})
	if err != nil {
		return err
	}
	return tx.Commit() // want "writeafterrelease"
}

// BadGo starts work and returns from the barn.
func BadGo(ctx context.Context, b *farm.Barn, db *sql.DB) error {
	//fencelint:lock correctness
	return b.With(ctx, "go", func(ctx context.Context) error {
		go func() { // want "outliveshold"
			_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
		}()
		return nil
	})
}

// GoodWith works in the barn.
func GoodWith(ctx context.Context, b *farm.Barn, db *sql.DB) error {
	//fencelint:lock correctness
	return b.With(ctx, "with", func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
		return err
	})
}
