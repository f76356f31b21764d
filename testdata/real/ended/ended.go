// Package ended sends statements between the comparison of the epoch and the write
// that it guards: some leave the transaction as it is, some end it.
package ended

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

const (
	raise = `UPDATE bells SET epoch = $1 WHERE id = 1 AND epoch < $1`
	ring  = `UPDATE ropes SET pulled = true WHERE id = 1`
)

// held hands the epoch of a fresh hold to what is to be done in it.
func held(ctx context.Context, s *concurrency.Session, name string, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Marked sets a mark and drops it again.
func Marked(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/marked", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		for _, text := range []string{`SAVEPOINT rung`, `RELEASE SAVEPOINT rung`, `SET LOCAL statement_timeout = 500`, `CREATE TEMP TABLE hum (id int)`} {
			if _, err := tx.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Refused rolls back by a statement where the epoch was refused, and goes.
func Refused(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/refused", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			_, undo := tx.ExecContext(ctx, `ROLLBACK`)
			return errors.Join(err, undo)
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Committed ends the transaction before the write.
func Committed(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/committed", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `COMMIT`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil { // want "unfencedwrite"
			return err
		}
		return tx.Commit()
	})
}

// Undone takes the comparison back, with the lock on its row.
func Undone(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/undone", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, `SAVEPOINT rung`); err != nil {
			return err
		}
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if err := undo(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil { // want "unfencedwrite"
			return err
		}
		return tx.Commit()
	})
}

func undo(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT rung`)
	return err
}

// Implied changes a table's form, which commits in MySQL.
func Implied(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/implied", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, `UPDATE bells SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `CREATE INDEX tone ON bells (pitch)`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil { // want "unfencedwrite"
			return err
		}
		return tx.Commit()
	})
}

// Tuned sends what its environment says.
func Tuned(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/tuned", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if err := send(ctx, tx, os.Getenv("TUNE")); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil { // want "unprovedwrite"
			return err
		}
		return tx.Commit()
	})
}

func send(ctx context.Context, tx *sql.Tx, text string) error {
	_, err := tx.ExecContext(ctx, text)
	return err
}

// Each guards every transaction of a list by itself.
func Each(ctx context.Context, s *concurrency.Session, txs []*sql.Tx) error {
	return held(ctx, s, "/locks/each", func(epoch int64) error {
		for _, tx := range txs {
			if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, ring); err != nil {
				return err
			}
		}
		return nil
	})
}

// Shelved guards one transaction of a map and writes in the one that took its place.
func Shelved(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/shelved", func(epoch int64) error {
		txs := map[string]*sql.Tx{}
		var err error
		if txs["a"], err = db.BeginTx(ctx, nil); err != nil {
			return err
		}
		if err := changed(txs["a"].ExecContext(ctx, raise, epoch)); err != nil {
			return errors.Join(err, txs["a"].Rollback())
		}
		if err := txs["a"].Commit(); err != nil {
			return err
		}
		if txs["a"], err = db.BeginTx(ctx, nil); err != nil {
			return err
		}
		if _, err := txs["a"].ExecContext(ctx, ring); err != nil { // want "unprovedwrite|unfencedwrite"
			return err
		}
		return txs["a"].Commit()
	})
}

// Side guards the first of two transactions and writes in the second.
func Side(ctx context.Context, s *concurrency.Session, txs []*sql.Tx) error {
	return held(ctx, s, "/locks/side", func(epoch int64) error {
		if err := changed(txs[0].ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		_, err := txs[1].ExecContext(ctx, ring) // want "unprovedwrite|unfencedwrite"
		return err
	})
}

// Tried goes back to a mark that was set behind the comparison.
func Tried(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/tried", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `SAVEPOINT echo`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE walls SET shaken = true WHERE id = 1`); err != nil {
			if _, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT echo`); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Retried begins until it works, and uses what it got.
func Retried(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/retried", func(epoch int64) error {
		var tx *sql.Tx
		defer func() { _ = tx.Rollback() }()
		for range 3 {
			var err error
			if tx, err = db.BeginTx(ctx, nil); err == nil {
				break
			}
		}
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, ring); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Pair begins two transactions by one call.
func Pair(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/pair", func(epoch int64) error {
		var left, right *sql.Tx
		for range 2 {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			left, right = right, tx
		}
		if err := changed(left.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		if _, err := right.ExecContext(ctx, ring); err != nil { // want "unfencedwrite|unprovedwrite"
			return err
		}
		return errors.Join(left.Commit(), right.Commit())
	})
}

// Recounted takes the fence back that it compared.
func Recounted(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/recounted", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var tolls, stored int64
		if err := tx.QueryRowContext(ctx, `SELECT tolls, epoch FROM bells WHERE id = 1 FOR UPDATE`).Scan(&tolls, &stored); err != nil {
			return err
		}
		if stored > epoch {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE bells SET tolls = 0 WHERE id = 1`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE bells SET epoch = 0 WHERE id = 1`); err != nil { // want "nulladmitted"
			return err
		}
		return tx.Commit()
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
