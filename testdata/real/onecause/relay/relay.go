// Package relay loses a refusal ahead of other statements of the same transaction: once it is
// heard, it stops those too.
package relay

import (
	"context"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale relay")

type relay struct {
	e    *concurrency.Election
	pool *pgxpool.Pool
}

const move = `UPDATE orders SET state = 'sent', epoch = $2 WHERE id = $1 AND epoch < $2`

// GoodShip stops.
func (r *relay) GoodShip(ctx context.Context, id int64, body []byte) error {
	//fencelint:lock correctness
	if err := r.e.Campaign(ctx, "relay"); err != nil {
		return err
	}
	defer r.e.Resign(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, move, id, r.e.Rev())
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		_, err = tx.Exec(ctx, `INSERT INTO outbox (body) VALUES ($1)`, body)
		return err
	})
}

// BadShip goes on.
func (r *relay) BadShip(ctx context.Context, id int64, body []byte) error {
	//fencelint:lock correctness
	if err := r.e.Campaign(ctx, "relay"); err != nil {
		return err
	}
	defer r.e.Resign(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, move, id, r.e.Rev()) // want "rejectionignored"
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			log.Println("order is newer", id)
		}
		if _, err := tx.Exec(ctx, `INSERT INTO outbox (body) VALUES ($1)`, body); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE relays SET sent = sent + 1 WHERE id = 1`)
		return err
	})
}

// BadBeside writes outside of the transaction, too.
func (r *relay) BadBeside(ctx context.Context, id int64, body []byte) error {
	//fencelint:lock correctness
	if err := r.e.Campaign(ctx, "relay"); err != nil {
		return err
	}
	defer r.e.Resign(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, move, id, r.e.Rev()); err != nil { // want "rejectionignored"
			return err
		}
		_, err := r.pool.Exec(ctx, `INSERT INTO posts (body) VALUES ($1)`, body) // want "unfencedwrite"
		return err
	})
}

// BadSome compares on some ways only.
func (r *relay) BadSome(ctx context.Context, id int64, body []byte) error {
	//fencelint:lock correctness
	if err := r.e.Campaign(ctx, "relay"); err != nil {
		return err
	}
	defer r.e.Resign(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		if id > 0 {
			if _, err := tx.Exec(ctx, move, id, r.e.Rev()); err != nil { // want "rejectionignored"
				return err
			}
		}
		_, err := tx.Exec(ctx, `INSERT INTO letters (body) VALUES ($1)`, body) // want "unfencedwrite"
		return err
	})
}
