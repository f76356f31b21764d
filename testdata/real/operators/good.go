package operators

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodForms are statements that all let only larger numbers in.
func GoodForms(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, form int) error {
	mu := concurrency.NewMutex(s, "/locks/forms")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision

	switch form {
	case 1:
		return one(db.ExecContext(ctx, `UPDATE f1 SET v = 1, fence = $2 WHERE id = $1 AND $2 > fence`, id, fence))
	case 2:
		return one(db.ExecContext(ctx, `UPDATE f2 SET v = 1, fence = $2 WHERE id = $1 AND NOT (fence >= $2)`, id, fence))
	case 3:
		return one(db.ExecContext(ctx, `UPDATE f3 SET v = 1, fence = $2 WHERE id = $1 AND fence + 1 <= $2`, id, fence))
	case 4:
		return one(db.ExecContext(ctx, `UPDATE f4 SET v = 1, fence = $2 WHERE id = $1 AND fence BETWEEN 0 AND $2 - 1`, id, fence))
	case 5:
		return one(db.ExecContext(ctx, `update "f5" set v = 1, "fence" = $2 where id = $1 and "fence" < $2 -- <> would be wrong`, id, fence))
	case 6:
		return one(db.ExecContext(ctx, `UPDATE f6 AS t SET v = 1, fence = $2 WHERE t.id = $1 AND (t.fence < $2 AND (t.state = 'a' OR t.state = 'b'))`, id, fence))
	case 7:
		return one(db.ExecContext(ctx, `UPDATE f7 SET v = 1, fence = GREATEST(fence, $2) WHERE id = $1 AND fence < $2`, id, fence))
	}
	return one(db.ExecContext(ctx, `UPDATE f8 SET (v, fence) = (1, $2) WHERE id = $1 AND fence < $2`, id, fence))
}

// GoodUpsert compares in the part that updates and has nothing to compare with in the
// part that inserts.
func GoodUpsert(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/upsert")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`INSERT INTO keels (id, fence, v) VALUES ($1, $2, $3)
		 ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, fence = EXCLUDED.fence
		  WHERE keels.fence < EXCLUDED.fence`, id, mu.Header().Revision, v)
	return one(res, err)
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
