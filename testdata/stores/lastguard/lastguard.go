// Package lastguard compares the epoch in the last statement of a transaction: what was
// written before is undone where it is refused.
package lastguard

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

var errStale = errors.New("a newer owner was there")

const (
	fill  = `UPDATE cups SET full = true WHERE id = 1`
	raise = `UPDATE trays SET epoch = $1 WHERE id = 1 AND epoch < $1`
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

// Pgx returns the refusal out of the function that pgx runs.
func Pgx(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgx", func(epoch int64) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, fill); err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, raise, epoch)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return errStale
			}
			return nil
		})
	})
}

// PgxSwallowed keeps the refusal to itself: pgx commits.
func PgxSwallowed(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgxswallowed", func(epoch int64) error {
		stale := false
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, fill); err != nil { // want "unfencedwrite"
				return err
			}
			tag, err := tx.Exec(ctx, raise, epoch)
			stale = err == nil && tag.RowsAffected() == 0
			return err
		})
		if stale {
			return nil
		}
		return err
	})
}

// PgxByHand begins and commits by itself.
func PgxByHand(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgxbyhand", func(epoch int64) error {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		if _, err := tx.Exec(ctx, fill); err != nil {
			return err
		}
		if tag, err := tx.Exec(ctx, raise, epoch); err != nil || tag.RowsAffected() == 0 {
			return errors.Join(err, errStale)
		}
		return tx.Commit(ctx)
	})
}

// PgxWithin compares within a savepoint that is given up, and commits the rest.
func PgxWithin(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgxwithin", func(epoch int64) error {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		if _, err := tx.Exec(ctx, fill); err != nil { // want "unfencedwrite"
			return err
		}
		within, err := tx.Begin(ctx)
		if err != nil {
			return err
		}
		if tag, err := tx.Exec(ctx, raise, epoch); err != nil || tag.RowsAffected() == 0 {
			return errors.Join(err, errStale)
		}
		if err := within.Rollback(ctx); err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

// PgxInner compares in the transaction and writes within a savepoint of it.
func PgxInner(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgxinner", func(epoch int64) error {
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if tag, err := tx.Exec(ctx, raise, epoch); err != nil || tag.RowsAffected() == 0 {
				return errors.Join(err, errStale)
			}
			return pgx.BeginFunc(ctx, tx, func(within pgx.Tx) error {
				_, err := within.Exec(ctx, `UPDATE saucers SET full = true WHERE id = 1`)
				return err
			})
		})
	})
}

// PgxQueued commits by a statement that it queues.
func PgxQueued(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool) error {
	return held(ctx, s, "/locks/pgxqueued", func(epoch int64) error {
		tx, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		if tag, err := tx.Exec(ctx, raise, epoch); err != nil || tag.RowsAffected() == 0 {
			return errors.Join(err, errStale)
		}
		b := &pgx.Batch{}
		b.Queue(`COMMIT`)
		b.Queue(fill) // want "unfencedwrite"
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

// Sqlx compares last, with names for the arguments.
func Sqlx(ctx context.Context, s *concurrency.Session, db *sqlx.DB) error {
	return held(ctx, s, "/locks/sqlx", func(epoch int64) error {
		tx, err := db.BeginTxx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, fill); err != nil {
			return err
		}
		res, err := tx.NamedExecContext(ctx, `UPDATE trays SET epoch = :epoch WHERE id = 1 AND epoch < :epoch`, map[string]any{"epoch": epoch})
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errStale)
		}
		return tx.Commit()
	})
}

// SqlxLate commits, and compares in the next transaction.
func SqlxLate(ctx context.Context, s *concurrency.Session, db *sqlx.DB) error {
	return held(ctx, s, "/locks/sqlxlate", func(epoch int64) error {
		tx, err := db.BeginTxx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, fill); err != nil { // want "unfencedwrite"
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		res, err := db.ExecContext(ctx, raise, epoch)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errStale)
		}
		return nil
	})
}

// Gorm returns the refusal out of the function that gorm runs.
func Gorm(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gorm", func(epoch int64) error {
		return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			if err := tx.Table("cups").Where("id = ?", 1).Update("full", true).Error; err != nil {
				return err
			}
			res := tx.Table("trays").Where("id = ? AND epoch < ?", 1, epoch).Update("epoch", epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			return nil
		})
	})
}

// GormText does it with statements.
func GormText(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gormtext", func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec(`UPDATE cups SET full = true WHERE id = ?`, 1).Error; err != nil {
				return err
			}
			res := tx.Exec(`UPDATE trays SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			return nil
		})
	})
}

// GormFirst compares first.
func GormFirst(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gormfirst", func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			res := tx.Exec(`UPDATE trays SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			return tx.Exec(`UPDATE cups SET full = true WHERE id = ?`, 1).Error
		})
	})
}

// GormInner compares in the transaction and writes within one of its own.
func GormInner(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gorminner", func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			res := tx.Exec(`UPDATE trays SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			return tx.Transaction(func(within *gorm.DB) error {
				return within.Exec(`UPDATE cups SET full = true WHERE id = ?`, 1).Error
			})
		})
	})
}

// GormPool writes beside the transaction.
func GormPool(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gormpool", func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := db.Exec(`UPDATE cups SET full = true WHERE id = ?`, 1).Error; err != nil { // want "unfencedwrite"
				return err
			}
			res := tx.Exec(`UPDATE trays SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			return nil
		})
	})
}

// GormBack goes back to a mark, and the comparison is gone.
func GormBack(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, "/locks/gormback", func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			tx.SavePoint("mark")
			res := tx.Exec(`UPDATE trays SET epoch = ? WHERE id = 1 AND epoch < ?`, epoch, epoch)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			tx.RollbackTo("mark")
			return tx.Exec(`UPDATE cups SET full = true WHERE id = ?`, 1).Error // want "unfencedwrite"
		})
	})
}
