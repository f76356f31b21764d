// Package absent compares the epoch only where there is one.
package absent

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

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

func (s *Store) with(ctx context.Context, key string, fn func(context.Context, *sql.Tx, int64) error) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(ctx, tx, m.Header().Revision); err != nil {
		return err
	}
	return tx.Commit()
}

// BadNullable has a column that may be NULL, and lets each epoch through where it is.
func (s *Store) BadNullable(ctx context.Context, id int64) error {
	return s.with(ctx, "a", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur sql.NullInt64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM a WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur.Valid && cur.Int64 > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE a SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "nulladmitted"
		return err
	})
}

// BadNull asks the wrong way.
func (s *Store) BadNull(ctx context.Context, id int64) error {
	return s.with(ctx, "b", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur sql.NullInt64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM b WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if !cur.Valid && cur.Int64 > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE b SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted|unprovedwrite|unfencedwrite"
		return err
	})
}

// BadPointer has a pointer that may be nil.
func (s *Store) BadPointer(ctx context.Context, id int64) error {
	return s.with(ctx, "c", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur *int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM c WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur != nil && *cur > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE c SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "nulladmitted"
		return err
	})
}

// BadForced lets an option go past the comparison.
func (s *Store) BadForced(ctx context.Context, id int64, force bool) error {
	return s.with(ctx, "d", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM d WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if !force && cur > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE d SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted|unprovedwrite|unfencedwrite"
		return err
	})
}

// GoodSwitch has three cases.
func (s *Store) GoodSwitch(ctx context.Context, id int64) error {
	return s.with(ctx, "e", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		err := tx.QueryRowContext(ctx, `SELECT epoch FROM e WHERE id = $1 FOR UPDATE`, id).Scan(&cur)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case cur > e:
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE e SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// BadOther compares with another row where there is none.
func (s *Store) BadOther(ctx context.Context, id int64, known map[int64]bool) error {
	return s.with(ctx, "f", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM f WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if known[id] && cur > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE f SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted|unprovedwrite|unfencedwrite"
		return err
	})
}

// GoodText has an empty text for none.
func (s *Store) GoodText(ctx context.Context) error {
	return s.with(ctx, "g", func(ctx context.Context, _ *sql.Tx, e int64) error {
		return s.rdb.Watch(ctx, func(tx *redis.Tx) error {
			raw, err := tx.Get(ctx, "g:fence").Result()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			if raw != "" {
				cur, err := strconv.ParseInt(raw, 10, 64)
				if err != nil {
					return err
				}
				if cur >= e {
					return errStale
				}
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "g:fence", e, 0)
				p.Set(ctx, "g", "x", 0)
				return nil
			})
			return err
		}, "g:fence")
	})
}

type order struct {
	Valid bool // a column of its own
	Epoch int64
}

// BadColumn compares only some orders.
func (s *Store) BadColumn(ctx context.Context, id int64) error {
	return s.with(ctx, "h", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var o order
		if err := tx.QueryRowContext(ctx, `SELECT valid, epoch FROM h WHERE id = $1 FOR UPDATE`, id).Scan(&o.Valid, &o.Epoch); err != nil {
			return err
		}
		if o.Valid && o.Epoch > e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE h SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared"
		return err
	})
}
