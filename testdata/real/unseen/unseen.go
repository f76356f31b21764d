// Package unseen refuses obsolete owners column by column: the row stays as it is, but
// it is met, counted and returned all the same.
package unseen

import (
	"context"
	"database/sql"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner has written")

// Barn stores hay under a lock.
type Barn struct {
	Client *clientv3.Client
	DB     *sql.DB
}

func (b *Barn) held(ctx context.Context, write func(context.Context, int64) error) error {
	session, err := concurrency.NewSession(b.Client)
	if err != nil {
		return err
	}
	defer session.Close()
	m := concurrency.NewMutex(session, "/barn")
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
		return errStale
	}
	return nil
}

// Seen has the comparison in WHERE: no row is met.
func (b *Barn) Seen(ctx context.Context, bales int) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(b.DB.ExecContext(ctx, `UPDATE hay SET bales = $1, epoch = $2 WHERE barn = 1 AND epoch < $2`, bales, epoch))
	})
}

// Unseen counts a row even if nothing in it changes.
func (b *Barn) Unseen(ctx context.Context, bales int) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(b.DB.ExecContext(ctx, `UPDATE hay SET bales = CASE WHEN epoch < $2 THEN $1 ELSE bales END, epoch = CASE WHEN epoch < $2 THEN $2 ELSE epoch END WHERE barn = 1`, bales, epoch)) // want "rejectionignored"
	})
}

// Returned gets the row back in either case; what stands in it would tell.
func (b *Barn) Returned(ctx context.Context, bales int) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		var now int64
		return b.DB.QueryRowContext(ctx, `UPDATE hay SET bales = CASE WHEN epoch < $2 THEN $1 ELSE bales END, epoch = CASE WHEN epoch < $2 THEN $2 ELSE epoch END WHERE barn = 1 RETURNING epoch`, bales, epoch).Scan(&now) // want "unprovedwrite"
	})
}

// Changes asks MySQL, which counts the rows that have changed.
func (b *Barn) Changes(ctx context.Context, bales int) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(b.DB.ExecContext(ctx, `INSERT INTO straw (barn, bales, epoch) VALUES (1, ?, ?)
			ON DUPLICATE KEY UPDATE bales = IF(epoch < VALUES(epoch), VALUES(bales), bales), epoch = IF(epoch < VALUES(epoch), VALUES(epoch), epoch)`, bales, epoch))
	})
}

// Gate asks another update whether it met its row, which it does whoever owns the lock.
func (b *Barn) Gate(ctx context.Context) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		return changed(b.DB.ExecContext(ctx, `WITH g AS (UPDATE barns SET epoch = CASE WHEN epoch < $1 THEN $1 ELSE epoch END WHERE id = 1 RETURNING 1) UPDATE oats SET sold = true WHERE id = 3 AND EXISTS (SELECT 1 FROM g)`, epoch)) // want "staleadmitted"
	})
}

// First writes in a transaction whose first statement counts its row in either case.
func (b *Barn) First(ctx context.Context, bales int) error {
	return b.held(ctx, func(ctx context.Context, epoch int64) error {
		tx, err := b.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, `UPDATE barns SET seen = CASE WHEN epoch < $1 THEN now() ELSE seen END, epoch = CASE WHEN epoch < $1 THEN $1 ELSE epoch END WHERE id = 1`, epoch)); err != nil { // want "rejectionignored"
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE rye SET bales = $1 WHERE id = 3`, bales); err != nil { // want "unprovedwrite"
			return err
		}
		return tx.Commit()
	})
}
