// Package ownrefusal compares the epoch itself, and refuses in a branch of its own.
package ownrefusal

import (
	"context"
	"database/sql"
	"errors"
	"log"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Store writes rows and keys.
type Store struct {
	s   *concurrency.Session
	db  *sql.DB
	rdb *redis.Client
}

func (s *Store) with(ctx context.Context, key string, fn func(context.Context, int64) error) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, m.Header().Revision)
}

// Good returns an error.
func (s *Store) Good(ctx context.Context, id int64) error {
	return s.with(ctx, "a", func(ctx context.Context, e int64) error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM a WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur > e {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE a SET v = v + 1, epoch = $2 WHERE id = $1`, id, e); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// BadNil returns as if it had written.
func (s *Store) BadNil(ctx context.Context, id int64) error {
	return s.with(ctx, "b", func(ctx context.Context, e int64) error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM b WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur > e {
			log.Print("stale")
			return nil
		}
		if _, err := tx.ExecContext(ctx, `UPDATE b SET v = v + 1, epoch = $2 WHERE id = $1`, id, e); err != nil { // want "rejectionignored"
			return err
		}
		return tx.Commit()
	})
}

// BadDrop only logs the error.
func (s *Store) BadDrop(ctx context.Context, id int64) {
	err := s.with(ctx, "c", func(ctx context.Context, e int64) error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM c WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur > e {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE c SET v = v + 1, epoch = $2 WHERE id = $1`, id, e); err != nil { // want "rejectionignored"
			return err
		}
		return tx.Commit()
	})
	log.Print(err)
}

// BadWatch does so in an optimistic transaction.
func (s *Store) BadWatch(ctx context.Context) error {
	return s.with(ctx, "d", func(ctx context.Context, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			cur, err := tx.Get(ctx, "d:fence").Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if cur >= e {
				return nil
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "d:fence", e, 0) // want "rejectionignored"
				p.Set(ctx, "d", "x", 0)     // want "rejectionignored"
				return nil
			})
			return err
		}, "d:fence")
	})
}

func (s *Store) write(ctx context.Context, e int64, read, write string, id int64) (bool, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var cur int64
	if err := tx.QueryRowContext(ctx, read, id).Scan(&cur); err != nil {
		return false, err
	}
	if newer(cur, e) != nil {
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, write, id, e); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

func newer(cur, e int64) error {
	if cur > e {
		return errStale
	}
	return nil
}

// GoodSaid tells it by another result.
func (s *Store) GoodSaid(ctx context.Context, id int64) error {
	return s.with(ctx, "e", func(ctx context.Context, e int64) error {
		done, err := s.write(ctx, e, `SELECT epoch FROM e WHERE id = $1 FOR UPDATE`, `UPDATE e SET v = v + 1, epoch = $2 WHERE id = $1`, id)
		if err == nil && !done {
			return errStale
		}
		return err
	})
}

// BadSaid does not look at that.
func (s *Store) BadSaid(ctx context.Context, id int64) error {
	return s.with(ctx, "f", func(ctx context.Context, e int64) error {
		_, err := s.write(ctx, e, `SELECT epoch FROM f WHERE id = $1 FOR UPDATE`, `UPDATE f SET v = v + 1, epoch = $2 WHERE id = $1`, id) // want "rejectionignored"
		return err
	})
}

// GoodOnce has nothing to do where it has written before, which is no refusal.
func (s *Store) GoodOnce(ctx context.Context, id int64) error {
	return s.with(ctx, "g", func(ctx context.Context, e int64) error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur == e {
			return nil
		}
		if cur > e {
			return errStale
		}
		if _, err := tx.ExecContext(ctx, `UPDATE g SET v = v + 1, epoch = $2 WHERE id = $1`, id, e); err != nil {
			return err
		}
		return tx.Commit()
	})
}
