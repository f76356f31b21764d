package tokens

import (
	"context"
	"database/sql"
	"os"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/tokens/clerk"
)

// BadMixed feeds one fence from two sources, whose numbers have nothing to do with one
// another.
func BadMixed(ctx context.Context, mu *concurrency.Mutex, el *concurrency.Election, db *sql.DB, id int64, elected bool) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	turn := mu.Header().Revision
	if elected {
		turn = el.Rev()
	}
	return clerk.One(db.ExecContext(ctx, `UPDATE mixers SET running = true, fence = $2 WHERE id = $1 AND fence < $2`, id, turn)) // want "mixedtokens"
}

// BadReused signs its claim with the name of its host, which comes again.
func BadReused(ctx context.Context, db *sql.DB, id int64) error {
	me, err := os.Hostname()
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	res, err := db.ExecContext(ctx, `UPDATE lathes SET owner = $2, until = now() + interval '1 minute' WHERE id = $1 AND (until < now() OR owner = $2)`, id, me)
	if err := clerk.One(res, err); err != nil {
		return err
	}
	return clerk.One(db.ExecContext(ctx, `UPDATE lathes SET running = true WHERE id = $1 AND owner = $2`, id, me)) // want "identityreused"
}

// GoodClaim raises the epoch with the claim and compares what it got.
func GoodClaim(ctx context.Context, db *sql.DB, id int64) error {
	var epoch int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `UPDATE kilns SET epoch = epoch + 1, until = now() + interval '1 minute' WHERE id = $1 AND until < now() RETURNING epoch`, id).Scan(&epoch)
	if err != nil {
		return err
	}
	return clerk.One(db.ExecContext(ctx, `UPDATE pots SET fired = true, fence = $2 WHERE id = $1 AND fence < $2`, id, epoch))
}
