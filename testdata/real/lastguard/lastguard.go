// Package lastguard compares the epoch behind the writes that it guards: what was
// written is undone where the epoch is refused, if nothing is committed without it.
package lastguard

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

const (
	sow   = `UPDATE beds SET sown = true WHERE id = 1`
	raise = `UPDATE gardens SET epoch = $1 WHERE id = 1 AND epoch < $1`
)

func held(ctx context.Context, s *concurrency.Session, name string, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// inTx commits what do leaves without an error.
func inTx(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// always commits, whatever do says.
func always(ctx context.Context, db *sql.DB, do func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(tx), tx.Commit())
}

// Last compares before it commits.
func Last(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/last", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, sow); err != nil {
			return err
		}
		if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Where goes to the comparison from the one branch that writes.
func Where(ctx context.Context, s *concurrency.Session, db *sql.DB, due bool) error {
	return held(ctx, s, "/locks/where", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if !due {
				return nil
			}
			if _, err := tx.ExecContext(ctx, sow); err != nil {
				return err
			}
			return changed(tx.ExecContext(ctx, raise, epoch))
		})
	})
}

// Shortcut has a way past the comparison.
func Shortcut(ctx context.Context, s *concurrency.Session, db *sql.DB, dry bool) error {
	return held(ctx, s, "/locks/shortcut", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
				return err
			}
			if dry {
				return nil
			}
			return changed(tx.ExecContext(ctx, raise, epoch))
		})
	})
}

// Always is refused, and commits all the same.
func Always(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/always", func(epoch int64) error {
		return always(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
				return err
			}
			return changed(tx.ExecContext(ctx, raise, epoch))
		})
	})
}

// Deferred leaves the end to a deferred function, which looks at the error.
func Deferred(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/deferred", func(epoch int64) (err error) {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, tx.Rollback())
				return
			}
			err = tx.Commit()
		}()
		if _, err := tx.ExecContext(ctx, sow); err != nil {
			return err
		}
		return changed(tx.ExecContext(ctx, raise, epoch))
	})
}

// Blind leaves the end to one that does not look.
func Blind(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/blind", func(epoch int64) (err error) {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, tx.Commit()) }()
		if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
			return err
		}
		return changed(tx.ExecContext(ctx, raise, epoch))
	})
}

// Helped leaves both to a function that is given the transaction.
func Helped(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/helped", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := sown(ctx, tx, epoch); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Unheard drops what that function says.
func Unheard(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/unheard", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := sown(ctx, tx, epoch); err != nil { // want "unfencedwrite" "rejectionignored"
			log.Println(err)
		}
		return tx.Commit()
	})
}

func sown(ctx context.Context, tx *sql.Tx, epoch int64) error {
	if _, err := tx.ExecContext(ctx, sow); err != nil {
		return err
	}
	return changed(tx.ExecContext(ctx, raise, epoch))
}

// Lowered makes room for its epoch first.
func Lowered(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/lowered", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `UPDATE gardens SET epoch = 0 WHERE id = 1`); err != nil { // want "unfencedwrite"
				return err
			}
			if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
				return err
			}
			return changed(tx.ExecContext(ctx, raise, epoch))
		})
	})
}

// GivenUp undoes the comparison, and commits the rest.
func GivenUp(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/givenup", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
				return err
			}
			if _, err := tx.ExecContext(ctx, `SAVEPOINT rows`); err != nil {
				return err
			}
			if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT rows`)
			return err
		})
	})
}

// sometimes runs a check where it is told to.
func sometimes(checks bool, check func() error) error {
	if checks {
		return check()
	}
	return nil
}

// Sometimes compares first, but not on each way.
func Sometimes(ctx context.Context, s *concurrency.Session, db *sql.DB, checks bool) error {
	return held(ctx, s, "/locks/sometimes", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if err := sometimes(checks, func() error { return changed(tx.ExecContext(ctx, raise, epoch)) }); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, sow) // want "unfencedwrite"
			return err
		})
	})
}

// Either runs one of two functions, and only one of them compares.
func Either(ctx context.Context, s *concurrency.Session, db *sql.DB, checks bool) error {
	return held(ctx, s, "/locks/either", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			check := func() error { return nil }
			if checks {
				check = func() error { return changed(tx.ExecContext(ctx, raise, epoch)) }
			}
			if err := check(); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, sow) // want "unfencedwrite"
			return err
		})
	})
}

// Locked compares in Go, under a row lock, before it commits.
func Locked(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/locked", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, sow); err != nil {
			return err
		}
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM gardens WHERE id = 1 FOR UPDATE`).Scan(&stored); err != nil {
			return err
		}
		if stored > epoch {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE gardens SET epoch = $1 WHERE id = 1`, epoch); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Unlocked compares without the lock.
func Unlocked(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/unlocked", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
			return err
		}
		var stored int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM gardens WHERE id = 1`).Scan(&stored); err != nil {
			return err
		}
		if stored > epoch {
			return errStale
		}
		return tx.Commit()
	})
}

// Rounds writes once more after the comparison.
func Rounds(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/rounds", func(epoch int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			for i := range 3 {
				if i > 0 {
					if _, err := tx.ExecContext(ctx, sow); err != nil { // want "unfencedwrite"
						return err
					}
				}
				if i == 1 {
					if err := changed(tx.ExecContext(ctx, raise, epoch)); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// Quiet rolls back where it is refused, and says nothing.
func Quiet(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return held(ctx, s, "/locks/quiet", func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, sow); err != nil {
			return err
		}
		if err := changed(tx.ExecContext(ctx, raise, epoch)); errors.Is(err, errStale) { // want "rejectionignored"
			return nil
		} else if err != nil {
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
