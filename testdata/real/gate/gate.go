// Package gate writes where another update of the same statement lets it: the
// fence is in the gate, and the write asks whether the gate changed a row.
package gate

import (
	"context"
	"database/sql"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrStale says that a newer owner has written.
var ErrStale = errors.New("a newer owner has written")

// Shop pays orders under a lock.
type Shop struct {
	Client *clientv3.Client
	DB     *sql.DB
}

func (s *Shop) held(ctx context.Context, write func(context.Context, int64) error) error {
	session, err := concurrency.NewSession(s.Client)
	if err != nil {
		return err
	}
	defer session.Close()
	m := concurrency.NewMutex(session, "/shop")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return write(ctx, m.Header().Revision)
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrStale
	}
	return nil
}

// Asked pays only if the gate changed a row.
func (s *Shop) Asked(ctx context.Context) error {
	return s.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(s.DB.ExecContext(ctx, `WITH g AS (UPDATE fences SET epoch = $1 WHERE name = 'shop' AND epoch < $1 RETURNING 1)
			UPDATE orders SET state = 'paid' WHERE id = 3 AND EXISTS (SELECT 1 FROM g)`, epoch))
	})
}

// NotAsked pays whatever the gate says.
func (s *Shop) NotAsked(ctx context.Context) error {
	return s.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(s.DB.ExecContext(ctx, `WITH g AS (UPDATE fences SET epoch = $1 WHERE name = 'shop' AND epoch < $1 RETURNING 1) UPDATE orders SET state = 'paid' WHERE id = 3`, epoch)) // want "unfencedwrite"
	})
}

// Open has a gate that lets obsolete owners through.
func (s *Shop) Open(ctx context.Context) error {
	return s.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(s.DB.ExecContext(ctx, `WITH g AS (UPDATE fences SET epoch = $1 WHERE name = 'shop' RETURNING 1) UPDATE orders SET state = 'paid' WHERE id = 3 AND EXISTS (SELECT 1 FROM g)`, epoch)) // want "tokennotcompared|unfencedwrite"
	})
}
