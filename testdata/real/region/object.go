package region

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Keeper is an object of the program: the function in it came with it.
type Keeper struct {
	db     *sql.DB
	Notify func(ctx context.Context, what string) error
}

// Close ends it.
func (k *Keeper) Close() error { return k.db.Close() }

// step is what a caller wants done under the lock, and nothing else.
type step struct {
	Name string
	Run  func(ctx context.Context) error
}

// refresh keeps its lock to itself: what it calls was there before.
func refresh(ctx context.Context, s *concurrency.Session, k *Keeper) error {
	mu := concurrency.NewMutex(s, "/locks/refresh")
	if err := mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return k.Notify(ctx, "refreshed")
}

// runStep runs what it is given under the lock: its callers say what that is for.
func runStep(ctx context.Context, s *concurrency.Session, st step) error { // want "lockclass"
	mu := concurrency.NewMutex(s, "/locks/step")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return st.Run(ctx)
}

// Nightly takes no lock of its own by the first, and uses that of the second.
func Nightly(ctx context.Context, s *concurrency.Session, k *Keeper) error {
	if err := refresh(ctx, s, k); err != nil {
		return err
	}
	return runStep(ctx, s, step{Name: "clean", Run: func(ctx context.Context) error {
		_, err := k.db.ExecContext(ctx, `DELETE FROM ovens WHERE hot IS NULL`)
		return err
	}})
}
