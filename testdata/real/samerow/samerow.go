// Package samerow compares the epoch at rows that each owner meets, and at rows that
// only one of them does.
package samerow

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"os"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Ledger is written by whoever owns the lock.
type Ledger struct {
	db   *sql.DB
	sess *concurrency.Session
}

// held runs one statement with the epoch of a fresh hold.
func held(ctx context.Context, l *Ledger, name string, write func(epoch int64) (sql.Result, error)) error {
	mu := concurrency.NewMutex(l.sess, name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return changed(write(mu.Header().Revision))
}

// ByName compares at the row of the thing that is locked.
func ByName(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/name", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `UPDATE books SET state = 'shut', epoch = $1 WHERE id = 7 AND epoch < $1`, epoch)
	})
}

// ByEpoch compares at a row that carries the epoch as its name: every owner has one.
func ByEpoch(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/epoch", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `UPDATE shelves SET state = 'shut', epoch = $1 WHERE id = $1 AND epoch < $1`, epoch) // want "fencenotadvanced|staleadmitted"
	})
}

// KeyHere upserts under a key that two owners share.
func KeyHere(ctx context.Context, l *Ledger, book string) error {
	return held(ctx, l, "/locks/keyhere", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `INSERT INTO books (name, epoch) VALUES ($2, $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE books.epoch < EXCLUDED.epoch`, epoch, book)
	})
}

// KeyMadeHere upserts under a key that is drawn for the attempt.
func KeyMadeHere(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/keymadehere", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `INSERT INTO books (name, epoch) VALUES ($2, $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE books.epoch < EXCLUDED.epoch`, epoch, rand.Text()) // want "staleadmitted"
	})
}

// KeyMadeThere lets the database draw it.
func KeyMadeThere(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/keymadethere", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `INSERT INTO books (name, epoch) VALUES (gen_random_uuid(), $1) ON CONFLICT (name) DO UPDATE SET epoch = EXCLUDED.epoch WHERE books.epoch < EXCLUDED.epoch`, epoch) // want "staleadmitted"
	})
}

// KeyLeftOut says nothing of the key.
func KeyLeftOut(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/keyleftout", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `INSERT INTO books (epoch) VALUES ($1) ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE books.epoch < EXCLUDED.epoch`, epoch) // want "unprovedwrite"
	})
}

// Quoted asks the gate, by a name in quotes that is the same.
func Quoted(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/quoted", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `WITH gate AS (UPDATE books SET epoch = $1 WHERE id = 7 AND epoch < $1 RETURNING 1) UPDATE pages SET full = true WHERE book = 7 AND EXISTS (SELECT 1 FROM "gate")`, epoch)
	})
}

// QuotedOther asks a table, whose name differs from the gate's by its case.
func QuotedOther(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/quotedother", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `WITH gate AS (UPDATE books SET epoch = $1 WHERE id = 7 AND epoch < $1 RETURNING 1) UPDATE pages SET full = true WHERE book = 7 AND EXISTS (SELECT 1 FROM "Gate")`, epoch) // want "unfencedwrite"
	})
}

// GatedReset lets the gate take back the fence of another row.
func GatedReset(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/gatedreset", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `WITH gate AS (UPDATE books SET epoch = $1 WHERE id = 7 AND epoch < $1 RETURNING 1) UPDATE books SET epoch = 0 WHERE id = 8 AND EXISTS (SELECT 1 FROM gate)`, epoch) // want "nulladmitted"
	})
}

// GatedRaise stores the same epoch in another row.
func GatedRaise(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/gatedraise", func(epoch int64) (sql.Result, error) {
		return l.db.ExecContext(ctx, `WITH gate AS (UPDATE books SET epoch = $1 WHERE id = 7 AND epoch < $1 RETURNING 1) UPDATE books SET epoch = $1 WHERE id = 8 AND EXISTS (SELECT 1 FROM gate)`, epoch)
	})
}

// ByHost guards a transaction by the row of its own host.
func ByHost(ctx context.Context, l *Ledger) error {
	return held(ctx, l, "/locks/byhost", func(epoch int64) (sql.Result, error) {
		host, err := os.Hostname()
		if err != nil {
			return nil, err
		}
		tx, err := l.db.BeginTx(ctx, nil)
		if err != nil {
			return nil, err
		}
		defer tx.Rollback()
		res, err := tx.ExecContext(ctx, `UPDATE hosts SET epoch = $1 WHERE name = $2 AND epoch < $1`, epoch, host)
		if err := changed(res, err); err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE volumes SET lent = true WHERE id = 7`); err != nil { // want "staleadmitted"
			return nil, err
		}
		return res, tx.Commit()
	})
}

// OfHost does so under a lock of that host.
func OfHost(ctx context.Context, l *Ledger) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	return held(ctx, l, "/locks/"+host, func(epoch int64) (sql.Result, error) {
		tx, err := l.db.BeginTx(ctx, nil)
		if err != nil {
			return nil, err
		}
		defer tx.Rollback()
		res, err := tx.ExecContext(ctx, `UPDATE machines SET epoch = $1 WHERE name = $2 AND epoch < $1`, epoch, host)
		if err := changed(res, err); err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE mounts SET lent = true WHERE machine = $1`, host); err != nil {
			return nil, err
		}
		return res, tx.Commit()
	})
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
