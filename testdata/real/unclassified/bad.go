// Package unclassified does not say what its locks are for.
package unclassified

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadLock writes three times; the lock is named once.
func BadLock(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/ball")
	if err := mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if _, err := db.ExecContext(ctx, `UPDATE balls_plain SET n = 1 WHERE id = $1`, id); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `UPDATE balls_plain SET n = 2 WHERE id = $1`, id); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `DELETE FROM bats_plain WHERE id = $1`, id)
	return err
}

// BadTry does not wait.
func BadTry(ctx context.Context, s *concurrency.Session) error {
	mu := concurrency.NewMutex(s, "/locks/bat")
	err := mu.TryLock(ctx) // want "lockclass"
	if err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadLead leads.
func BadLead(ctx context.Context, s *concurrency.Session) error {
	e := concurrency.NewElection(s, "/leaders/team")
	if err := e.Campaign(ctx, "captain"); err != nil { // want "lockclass"
		return err
	}
	return e.Resign(ctx)
}

// BadMethod locks what it has in a field.
func (t *Team) BadMethod(ctx context.Context) error {
	if err := t.mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	return t.mu.Unlock(ctx)
}

// Team has a lock.
type Team struct{ mu *concurrency.Mutex }

// BadClosure locks in a function without a name.
func BadClosure(ctx context.Context, s *concurrency.Session) func() error {
	mu := concurrency.NewMutex(s, "/locks/net")
	return func() error {
		if err := mu.Lock(ctx); err != nil { // want "lockclass"
			return err
		}
		return mu.Unlock(ctx)
	}
}

// GoodFirst says that the lock of the pitch is cheap.
func GoodFirst(ctx context.Context, s *concurrency.Session) error {
	mu := concurrency.NewMutex(s, "/locks/pitch")
	//fencelint:lock efficiency
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	return mu.Unlock(ctx)
}

// BadSecond says that the same lock is dear.
func BadSecond(ctx context.Context, s *concurrency.Session) error {
	mu := concurrency.NewMutex(s, "/locks/pitch")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil { // want "lockclass"
		return err
	}
	return mu.Unlock(ctx)
}
