// Package nullable hands the number of an owner on as a value that may be NULL.
package nullable

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

type shop struct {
	pool *pgxpool.Pool
	m    *concurrency.Mutex
	open bool
}

func (s *shop) exec(ctx context.Context, q string, args ...any) error {
	tag, err := s.pool.Exec(ctx, q, args...)
	if err == nil && tag.RowsAffected() == 0 {
		return errStale
	}
	return err
}

// GoodStock says that there is a number.
func (s *shop) GoodStock(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	rev := s.m.Header().Revision
	const q = `UPDATE stock SET n = n - 1, last_fence = $2 WHERE id = $1 AND last_fence < $2`
	if err := s.exec(ctx, q, id, pgtype.Int8{Int64: rev, Valid: true}); err != nil {
		return err
	}
	const q2 = `UPDATE shelf SET n = n - 1, last_fence = $2 WHERE id = $1 AND last_fence < $2`
	return s.exec(ctx, q2, id, sql.Null[int64]{V: rev, Valid: true})
}

// BadStock hands NULL on while the shop is shut, and the statement takes that for leave.
func (s *shop) BadStock(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	return s.exec(ctx, `UPDATE till SET n = n - 1, last_fence = $2 WHERE id = $1 AND (last_fence < $2 OR $2 IS NULL)`, // want "nulladmitted"
		id, sql.NullInt64{Int64: s.m.Header().Revision, Valid: s.open})
}

// BadClock has another number in it.
func (s *shop) BadClock(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	return s.exec(ctx, `UPDATE safe SET n = n - 1, last_fence = $2 WHERE id = $1 AND last_fence < $2`, // want "zerotoken"
		id, pgtype.Int8{Valid: true})
}
