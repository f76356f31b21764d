// Package gocompare compares the epoch in the program, in the transaction that has locked the row.
package gocompare

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

// Store writes rows.
type Store struct {
	s    *concurrency.Session
	db   *sql.DB
	pool *pgxpool.Pool
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

type row struct{ Epoch, V int64 }

func (r row) stale(e int64) bool    { return r.Epoch > e }
func (r row) staleBad(e int64) bool { return r.Epoch < e }

// GoodMethod asks a method of the row.
func (s *Store) GoodMethod(ctx context.Context, id int64) error {
	return s.with(ctx, "g1", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var r row
		if err := tx.QueryRowContext(ctx, `SELECT epoch, v FROM g1 WHERE id = $1 FOR UPDATE`, id).Scan(&r.Epoch, &r.V); err != nil {
			return err
		}
		if r.stale(e) {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g1 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// BadMethod asks one that stops the newer owner.
func (s *Store) BadMethod(ctx context.Context, id int64) error {
	return s.with(ctx, "b1", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var r row
		if err := tx.QueryRowContext(ctx, `SELECT epoch, v FROM b1 WHERE id = $1 FOR UPDATE`, id).Scan(&r.Epoch, &r.V); err != nil {
			return err
		}
		if r.staleBad(e) {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE b1 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted"
		return err
	})
}

// GoodNot negates it.
func (s *Store) GoodNot(ctx context.Context, id int64) error {
	return s.with(ctx, "g2", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g2 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if !(e >= cur) {
			return fmt.Errorf("%w: %d", errStale, cur)
		}
		_, err := tx.ExecContext(ctx, `UPDATE g2 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// GoodInside writes in the branch.
func (s *Store) GoodInside(ctx context.Context, id int64) error {
	return s.with(ctx, "g3", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g3 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if e >= cur {
			_, err := tx.ExecContext(ctx, `UPDATE g3 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
			return err
		}
		return errStale
	})
}

func guard(ctx context.Context, tx *sql.Tx, table string, id, e int64) error {
	var cur int64
	if err := tx.QueryRowContext(ctx, `SELECT epoch FROM `+table+` WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
		return err
	}
	if cur > e {
		return errStale
	}
	return nil
}

// GoodGuard has it in a function of its own.
func (s *Store) GoodGuard(ctx context.Context, id int64) error {
	return s.with(ctx, "g4", func(ctx context.Context, tx *sql.Tx, e int64) error {
		if err := guard(ctx, tx, "g4", id, e); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE g4 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// BadGuard only prints what that says.
func (s *Store) BadGuard(ctx context.Context, id int64) error {
	return s.with(ctx, "b4", func(ctx context.Context, tx *sql.Tx, e int64) error {
		if err := guard(ctx, tx, "b4", id, e); err != nil {
			fmt.Println(err)
		}
		_, err := tx.ExecContext(ctx, `UPDATE b4 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted"
		return err
	})
}

func fenced(ctx context.Context, tx *sql.Tx, table string, id, e int64, do func() error) error {
	if err := guard(ctx, tx, table, id, e); err != nil {
		return err
	}
	return do()
}

// GoodCallback writes in a function that the guard runs.
func (s *Store) GoodCallback(ctx context.Context, id int64) error {
	return s.with(ctx, "g5", func(ctx context.Context, tx *sql.Tx, e int64) error {
		return fenced(ctx, tx, "g5", id, e, func() error {
			_, err := tx.ExecContext(ctx, `UPDATE g5 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
			return err
		})
	})
}

func fresh(ctx context.Context, tx *sql.Tx, table string, id, e int64) (bool, error) {
	var cur int64
	if err := tx.QueryRowContext(ctx, `SELECT epoch FROM `+table+` WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
		return false, err
	}
	return cur <= e, nil
}

// GoodAnswer is given what the comparison says.
func (s *Store) GoodAnswer(ctx context.Context, id int64) error {
	return s.with(ctx, "g6", func(ctx context.Context, tx *sql.Tx, e int64) error {
		ok, err := fresh(ctx, tx, "g6", id, e)
		if err != nil {
			return err
		}
		if !ok {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE g6 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// BadAnswer turns it round.
func (s *Store) BadAnswer(ctx context.Context, id int64) error {
	return s.with(ctx, "b6", func(ctx context.Context, tx *sql.Tx, e int64) error {
		ok, err := fresh(ctx, tx, "b6", id, e)
		if err != nil {
			return err
		}
		if ok {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE b6 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "tokennotcompared|staleadmitted"
		return err
	})
}

// GoodUnsigned compares without a sign.
func (s *Store) GoodUnsigned(ctx context.Context, id int64) error {
	return s.with(ctx, "g7", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur uint64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g7 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cur > uint64(e) {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g7 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// GoodCompare compares by cmp.Compare.
func (s *Store) GoodCompare(ctx context.Context, id int64) error {
	return s.with(ctx, "g8", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g8 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if cmp.Compare(cur, e) > 0 {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g8 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// GoodBegun has a transaction of pgx.
func (s *Store) GoodBegun(ctx context.Context, id int64) error {
	return s.with(ctx, "g9", func(ctx context.Context, _ *sql.Tx, e int64) error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var cur int64
			if err := tx.QueryRow(ctx, `SELECT epoch FROM g9 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
				return err
			}
			if cur > e {
				return errStale
			}
			_, err := tx.Exec(ctx, `UPDATE g9 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
			return err
		})
	})
}

// GoodGreater asks for the greater one.
func (s *Store) GoodGreater(ctx context.Context, id int64) error {
	return s.with(ctx, "g10", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g10 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if max(cur, e) != e {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g10 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// GoodJoined refuses together with an error.
func (s *Store) GoodJoined(ctx context.Context, id int64) error {
	return s.with(ctx, "g11", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		err := tx.QueryRowContext(ctx, `SELECT epoch FROM g11 WHERE id = $1 FOR UPDATE`, id).Scan(&cur)
		if err != nil || cur > e {
			return errors.Join(errStale, err)
		}
		_, err = tx.ExecContext(ctx, `UPDATE g11 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// GoodEach does so for each row.
func (s *Store) GoodEach(ctx context.Context, ids []int64) error {
	return s.with(ctx, "g12", func(ctx context.Context, tx *sql.Tx, e int64) error {
		for _, id := range ids {
			var cur int64
			if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g12 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
				return err
			}
			if cur > e {
				return errStale
			}
			if _, err := tx.ExecContext(ctx, `UPDATE g12 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// GoodDifference looks at the difference.
func (s *Store) GoodDifference(ctx context.Context, id int64) error {
	return s.with(ctx, "g13", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur, version int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch, version FROM g13 WHERE id = $1 FOR UPDATE`, id).Scan(&cur, &version); err != nil {
			return err
		}
		diff := e - cur
		if diff < 0 {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g13 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}
func fresh2(ctx context.Context, tx *sql.Tx, table string, id, e int64) (bool, error) {
	var cur int64
	if err := tx.QueryRowContext(ctx, `SELECT epoch FROM `+table+` WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
		return false, err
	}
	if cur > e {
		return false, nil
	}
	return true, nil
}

// GoodBranches is told by constants in branches.
func (s *Store) GoodBranches(ctx context.Context, id int64) error {
	return s.with(ctx, "g15", func(ctx context.Context, tx *sql.Tx, e int64) error {
		ok, err := fresh2(ctx, tx, "g15", id, e)
		if err != nil {
			return err
		}
		if !ok {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE g15 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

// BadBranches takes a no for success.
func (s *Store) BadBranches(ctx context.Context, id int64) error {
	return s.with(ctx, "b15", func(ctx context.Context, tx *sql.Tx, e int64) error {
		ok, err := fresh2(ctx, tx, "b15", id, e)
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		_, err = tx.ExecContext(ctx, `UPDATE b15 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e) // want "rejectionignored"
		return err
	})
}
func isFresh(cur, e int64) bool {
	if cur > e {
		return false
	}
	return true
}

// GoodPlain is told without an error.
func (s *Store) GoodPlain(ctx context.Context, id int64) error {
	return s.with(ctx, "g16", func(ctx context.Context, tx *sql.Tx, e int64) error {
		var cur int64
		if err := tx.QueryRowContext(ctx, `SELECT epoch FROM g16 WHERE id = $1 FOR UPDATE`, id).Scan(&cur); err != nil {
			return err
		}
		if !isFresh(cur, e) {
			return errStale
		}
		_, err := tx.ExecContext(ctx, `UPDATE g16 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}
func load(ctx context.Context, tx *sql.Tx, table string, id int64) (*row, error) {
	r := new(row)
	err := tx.QueryRowContext(ctx, `SELECT epoch, v FROM `+table+` WHERE id = $1 FOR UPDATE`, id).Scan(&r.Epoch, &r.V)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// GoodCases has a case for what is done.
func (s *Store) GoodCases(ctx context.Context, id int64) error {
	return s.with(ctx, "g17", func(ctx context.Context, tx *sql.Tx, e int64) error {
		r, err := load(ctx, tx, "g17", id)
		if err != nil {
			return err
		}
		switch {
		case r.Epoch > e:
			return errStale
		case r.Epoch == e && r.V > 0:
			return nil
		}
		_, err = tx.ExecContext(ctx, `UPDATE g17 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}

type token int64

func (t token) after(o token) bool { return t > o }

// GoodNamed compares named types.
func (s *Store) GoodNamed(ctx context.Context, id int64) error {
	return s.with(ctx, "g18", func(ctx context.Context, tx *sql.Tx, e int64) error {
		r, err := load(ctx, tx, "g18", id)
		if err != nil {
			return err
		}
		if token(r.Epoch).after(token(e)) {
			return errStale
		}
		_, err = tx.ExecContext(ctx, `UPDATE g18 SET v = v + 1, epoch = $2 WHERE id = $1`, id, e)
		return err
	})
}
