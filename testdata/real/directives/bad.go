// Package directives has a class of its own, so that a directive with a fault does not
// leave its lock without one.
//
//fencelint:lock efficiency
package directives

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadClass has a class that does not exist.
func BadClass(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock corectness // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadNoClass has none at all.
func BadNoClass(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadVerb has a verb that does not exist.
func BadVerb(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:locks efficiency // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadKey has a key that does not exist.
func BadKey(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock efficiency because="it is cheap" // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadContract has a contract that does not exist; the class counts all the same.
func BadContract(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness contract=fencing // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE flags_plain SET up = true`) // want "unfencedwrite"
	return err
}

// BadQuote has a string that does not end.
func BadQuote(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock efficiency reason="cheap // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadSpace has a space where a directive has none.
func BadSpace(ctx context.Context, mu *concurrency.Mutex) error {
	// fencelint:lock efficiency // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadBlock is written in the other kind of comment.
func BadBlock(ctx context.Context, mu *concurrency.Mutex) error {
	/*fencelint:lock efficiency*/ // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadTwice has two classes at one place.
func BadTwice(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock efficiency
	//fencelint:lock correctness // want "fencedirective"
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadReason accepts without a word.
func BadReason(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite // want "fencedirective"
	_, err := db.ExecContext(ctx, `UPDATE poles_plain SET up = true`)
	return err
}

// BadRule accepts what no rule reports.
func BadRule(ctx context.Context, mu *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	//fencelint:accept unfenced reason="nobody reads it" // want "fencedirective"
	return mu.Unlock(ctx)
}

// BadIdle accepts what nobody found.
func BadIdle(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) (up bool, err error) {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return false, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite reason="nobody reads it" // want "fencedirective"
	err = db.QueryRowContext(ctx, `SELECT up FROM flags`).Scan(&up)
	return up, err
}

// BadDate accepts until a day that is in no calendar.
func BadDate(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite reason="rebuilt in spring" until=2999-13-01 // want "fencedirective"
	_, err := db.ExecContext(ctx, `UPDATE masts_plain SET up = true`)
	return err
}

// BadPlace says of a function what can be said of a package only.
//
//fencelint:root // want "fencedirective"
func BadPlace() {}

// BadWrites names no resource.
type BadWrites interface {
	//fencelint:writes kind=store // want "fencedirective"
	Put(ctx context.Context, id int64) error
}

// gate is a lock of a kind that nobody has described.
type gate struct{}

func (gate) Shut(ctx context.Context) error { return ctx.Err() }

// BadUseless classifies a call that is no acquisition of any lock that is known.
func BadUseless(ctx context.Context, g gate, db *sql.DB, id int64) error {
	//fencelint:lock correctness // want "fencedirective"
	if err := g.Shut(ctx); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE gates_plain SET n = 1 WHERE id = $1`, id)
	return err
}
