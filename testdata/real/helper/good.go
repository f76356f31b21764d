package helper

import (
	"context"
	"database/sql"

	"fencelint.example/real/helper/rows"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodHelper hands its number down.
func GoodHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/bell")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return toll(ctx, db, id, mu.Header().Revision)
}

func toll(ctx context.Context, db *sql.DB, id, fence int64) error {
	res, err := db.ExecContext(ctx, `UPDATE bells SET rung = rung + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	return rows.One(res, err)
}

// GoodElsewhere hands it to another package, where text, execution and answer are three
// functions.
func GoodElsewhere(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/gong")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return rows.Move(ctx, db, "gongs", id, mu.Header().Revision)
}

// GoodRecursive hands it down a function that calls itself.
func GoodRecursive(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/tree")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return water(ctx, db, id, mu.Header().Revision, 8)
}

func water(ctx context.Context, db *sql.DB, id, fence int64, depth int) error {
	if depth > 0 {
		return water(ctx, db, 2*id, fence, depth-1)
	}
	res, err := db.ExecContext(ctx, `UPDATE branches SET wet = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	return rows.One(res, err)
}
