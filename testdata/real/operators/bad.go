// Package operators compares the token in ways that let an obsolete owner through.
package operators

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadDiffers asks only whether the numbers differ.
func BadDiffers(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/differs")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`UPDATE kites SET flown = true, fence = $2 WHERE id = $1 AND fence <> $2`, id, mu.Header().Revision)
	return one(res, err)
}

// BadTurned has the sides the wrong way round.
func BadTurned(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/turned")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`UPDATE sails SET set = true, fence = $2 WHERE id = $1 AND NOT (fence < $2)`, id, mu.Header().Revision)
	return one(res, err)
}

// BadOr has a way around the comparison.
func BadOr(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/or")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`UPDATE ropes SET tied = true, fence = $2
		  WHERE id = $1 AND (fence < $2 OR state = 'stuck')`, id, mu.Header().Revision)
	return one(res, err)
}

// BadPrecedence forgot the parentheses, so that OR takes the comparison out.
func BadPrecedence(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/precedence")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`UPDATE masts SET up = true, fence = $2 WHERE fence < $2 AND id = $1 OR state = 'down'`, id, mu.Header().Revision)
	return one(res, err)
}

// BadSlack lets owners in that are up to a hundred revisions old.
func BadSlack(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/slack")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`UPDATE decks SET clean = true, fence = $2 WHERE id = $1 AND fence < $2 + 100`, id, mu.Header().Revision)
	return one(res, err)
}

// BadUpsert has the wrong comparison in the part that updates.
func BadUpsert(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/locks/upsert")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "staleadmitted"
		`INSERT INTO hulls (id, fence, v) VALUES ($1, $2, $3)
		 ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, fence = EXCLUDED.fence
		  WHERE hulls.fence IS DISTINCT FROM EXCLUDED.fence`, id, mu.Header().Revision, v)
	return one(res, err)
}
