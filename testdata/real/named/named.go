// Package named binds the number of the owner by name.
package named

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type tray struct {
	ID   int64
	Qty  int
	Turn int64 `db:"fence"`
	Last int64 `db:"last"`
}

func withTurn(ctx context.Context, s *concurrency.Session, fn func(turn int64) error) error {
	m := concurrency.NewMutex(s, "/trays")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(m.Header().Revision)
}

// GoodStruct binds a field by its tag.
func GoodStruct(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, qty int) error {
	return withTurn(ctx, s, func(turn int64) error {
		res, err := db.NamedExecContext(ctx, `UPDATE trays SET qty = :qty, fence = :fence WHERE id = :id AND fence < :fence`, tray{ID: id, Qty: qty, Turn: turn})
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errStale, err)
		}
		return nil
	})
}

// BadStruct sets the number in the field of another name.
func BadStruct(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64, qty int) error {
	return withTurn(ctx, s, func(turn int64) error {
		res, err := db.NamedExecContext(ctx, `UPDATE trays SET qty = :qty, fence = :fence WHERE id = :id AND fence < :fence`, tray{ID: id, Qty: qty, Last: turn}) // want "zerotoken"
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errStale, err)
		}
		return nil
	})
}

// GoodMap binds by the arguments of pgx.
func GoodMap(ctx context.Context, s *concurrency.Session, tx pgx.Tx, id int64) error {
	return withTurn(ctx, s, func(turn int64) error {
		tag, err := tx.Exec(ctx, `UPDATE trays SET qty = 0, fence = @turn WHERE id = @id AND fence < @turn`, pgx.NamedArgs{"id": id, "turn": turn})
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		return nil
	})
}

// BadMap compares with something that lets the same owner's past through.
func BadMap(ctx context.Context, s *concurrency.Session, tx pgx.Tx, id int64) error {
	return withTurn(ctx, s, func(turn int64) error {
		tag, err := tx.Exec(ctx, `UPDATE trays SET qty = 0, fence = @turn WHERE id = @id AND fence > @turn`, pgx.NamedArgs{"id": id, "turn": turn}) // want "staleadmitted"
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errStale
		}
		return nil
	})
}

// GoodRebind changes nothing but the placeholders.
func GoodRebind(ctx context.Context, s *concurrency.Session, db *sqlx.DB, table string, id int64) error {
	return withTurn(ctx, s, func(turn int64) error {
		q := db.Rebind(fmt.Sprintf(`UPDATE %s SET qty = 0, fence = ? WHERE id = ? AND fence < ?`, table))
		res, err := db.ExecContext(ctx, q, turn, id, turn)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errStale, err)
		}
		return nil
	})
}
