package advance

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadAhead compares a larger number than it stores: an older owner comes through where
// the newer one has stored a number that is larger by one only.
func BadAhead(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/shifted/ahead")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision
	return one(db.ExecContext(ctx, "UPDATE ahead SET body = $1, fence = $2 WHERE id = $3 AND fence < $4", v, epoch, id, epoch+2)) // want "tokenmismatch"
}

// BadStored stores a larger number than it compares.
func BadStored(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/shifted/stored")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision
	return one(db.ExecContext(ctx, "UPDATE kept SET body = $1, fence = $2 WHERE id = $3 AND fence < $4", v, epoch+1, id, epoch)) // want "tokenmismatch"
}

// GoodBoth moves both alike.
func GoodBoth(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, v string) error {
	mu := concurrency.NewMutex(s, "/shifted/both")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision + 1
	return one(db.ExecContext(ctx, "UPDATE both SET body = $1, fence = $2 WHERE id = $3 AND fence < $4", v, epoch, id, epoch))
}
