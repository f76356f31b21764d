// Package worker writes shipments under a lock, each with the epoch of its hold,
// but for what the ledger does.
package worker

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/meeting/ledger"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another worker has taken over")

// Ship sends a shipment off.
func Ship(ctx context.Context, m *concurrency.Mutex, db *sql.DB, id string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	epoch := m.Header().Revision
	res, err := db.ExecContext(ctx, "UPDATE shipments SET state = 'sent', epoch = $1 WHERE id = $2 AND epoch < $1", epoch, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return ledger.Book(ctx, db, id) // want "unfencedwrite"
}
