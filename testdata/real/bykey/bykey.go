// Package bykey takes statements from a map, by a key that is one of a few.
package bykey

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

var statements = map[string]string{
	"open":  `UPDATE gates SET open = true, last_fence = $2 WHERE id = $1 AND last_fence < $2`,
	"shut":  `UPDATE gates SET open = false, last_fence = $2 WHERE id = $1 AND last_fence < $2`,
	"paint": `UPDATE gates SET painted = true, last_fence = $2 WHERE id = $1`,
}

func statement(kind string) string { return statements[kind] }

type keeper struct {
	db *sql.DB
	m  *concurrency.Mutex
}

func (k *keeper) run(ctx context.Context, q string, id int64) error {
	res, err := k.db.ExecContext(ctx, q, id, k.m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodMove knows two of the three.
func (k *keeper) GoodMove(ctx context.Context, id int64, shut bool) error {
	//fencelint:lock correctness
	if err := k.m.Lock(ctx); err != nil {
		return err
	}
	defer k.m.Unlock(context.WithoutCancel(ctx))
	kind := "open"
	if shut {
		kind = "shut"
	}
	return k.run(ctx, statements[kind], id)
}

// GoodOpen asks a function for one of them.
func (k *keeper) GoodOpen(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := k.m.Lock(ctx); err != nil {
		return err
	}
	defer k.m.Unlock(context.WithoutCancel(ctx))
	return k.run(ctx, statement("open"), id)
}

// BadPaint asks for the third.
func (k *keeper) BadPaint(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := k.m.Lock(ctx); err != nil {
		return err
	}
	defer k.m.Unlock(context.WithoutCancel(ctx))
	return k.run(ctx, statement("paint"), id) // want "tokennotcompared"
}

// BadAny takes any of them.
func (k *keeper) BadAny(ctx context.Context, kind string, id int64) error {
	//fencelint:lock correctness
	if err := k.m.Lock(ctx); err != nil {
		return err
	}
	defer k.m.Unlock(context.WithoutCancel(ctx))
	return k.run(ctx, statement(kind), id) // want "tokennotcompared"
}
