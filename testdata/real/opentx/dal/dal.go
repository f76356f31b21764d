// Package dal is a way to the database that nobody here implements.
package dal

import "context"

// Access writes.
type Access interface {
	Update(ctx context.Context, table string, values map[string]any) error
}

// Transaction can be locked, and ends.
type Transaction interface {
	Access
	LockTable(ctx context.Context, name string) error
	UnlockTable(ctx context.Context, name string) error
	Commit() error
	Rollback() error
}

// Locker locks, and does not end.
type Locker interface {
	Access
	Lock(ctx context.Context, name string) error
	Unlock(ctx context.Context, name string) error
}

// Same writes through the transaction that has the lock.
func Same(ctx context.Context, tx Transaction) error {
	if err := tx.LockTable(ctx, "jobs"); err != nil { // open
		return err
	}
	if err := tx.Update(ctx, "jobs", map[string]any{"taken": true}); err != nil { // session
		return err
	}
	return tx.Commit()
}

// Beside writes past it.
func Beside(ctx context.Context, tx Transaction, a Access) error {
	if err := tx.LockTable(ctx, "jobs"); err != nil { // open
		return err
	}
	if err := a.Update(ctx, "jobs", map[string]any{"taken": true}); err != nil { // none
		return err
	}
	return tx.Commit()
}

// NoTx has a lock that is not a transaction's.
func NoTx(ctx context.Context, l Locker) error {
	if err := l.Lock(ctx, "jobs"); err != nil { // open
		return err
	}
	return l.Update(ctx, "jobs", map[string]any{"taken": true}) // unknown
}

// RunLocker runs what it is given under a lock.
type RunLocker interface {
	WithLock(ctx context.Context, name string, do func(context.Context) error) error
}

// Within writes in the function that runs under the lock.
func Within(ctx context.Context, r RunLocker, a Access) error {
	return r.WithLock(ctx, "jobs", func(ctx context.Context) error { // open
		return a.Update(ctx, "jobs", map[string]any{"taken": true}) // none
	})
}
