package directives

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodWords has everything that a class can have.
func GoodWords(ctx context.Context, mu *concurrency.Mutex, db *sql.DB, id int64) error {
	//fencelint:lock correctness resource=flags contract=fence // the flags of the whole fleet
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE flags SET up = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodReason has a reason in two kinds of string.
func GoodReason(ctx context.Context, mu, other *concurrency.Mutex) error {
	//fencelint:lock efficiency reason="two of them cost \"only\" time"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	//fencelint:lock efficiency reason=`so do four`
	if err := other.Lock(ctx); err != nil {
		return err
	}
	return errors.Join(mu.Unlock(ctx), other.Unlock(ctx))
}

//go:generate echo fencelint is no directive of the go command

// GoodMention speaks of fencelint without saying anything to it. See also lint: that is
// another tool.
func GoodMention() {}

// Sink has a method that enforces what its directive names.
type Sink interface {
	//fencelint:writes resource=sinks fence=turn kind=store
	Put(ctx context.Context, id, turn int64) error
}

// GoodSink hands its number to a method that enforces it.
func GoodSink(ctx context.Context, mu *concurrency.Mutex, s Sink, id int64) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return s.Put(ctx, id, mu.Header().Revision)
}
