// Package ledger closes accounts under a lock that its callers know nothing of.
package ledger

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store keeps the accounts.
type Store interface {
	Save(ctx context.Context, id, state string) error
}

// Table is such a store.
type Table struct{ *sql.DB }

// Save overwrites the account.
func (t Table) Save(ctx context.Context, id, state string) error {
	_, err := t.ExecContext(ctx, "UPDATE accounts SET state = $2 WHERE id = $1", id, state)
	return err
}

// Ledger is used by several parts of the program.
type Ledger struct {
	Session *concurrency.Session
	Store   Store
	// Closing says what a closed account is called; it is set by whoever makes the ledger.
	Closing func() string
}

// New is a ledger that keeps its accounts in a table.
func New(s *concurrency.Session, db *sql.DB, closing func() string) *Ledger {
	return &Ledger{Session: s, Store: Table{db}, Closing: closing}
}

func (l *Ledger) lock(ctx context.Context, id string) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(l.Session, "/ledger/"+id)
	//fencelint:lock correctness
	return m, m.Lock(ctx)
}

// Close has the fault: it is said here, and to none of those who call it.
func (l *Ledger) Close(ctx context.Context, id string) error {
	m, err := l.lock(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	return l.Store.Save(ctx, id, l.Closing()) // want "unfencedwrite"
}

// CloseLater lets a goroutine take the lock: nothing outlives it.
func (l *Ledger) CloseLater(ctx context.Context, id string) {
	go func() { _ = l.Close(ctx, id) }()
}

// CloseAll calls it in a loop.
func (l *Ledger) CloseAll(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if err := l.Close(ctx, id); err != nil {
			l.CloseLater(ctx, id)
			return err
		}
	}
	return nil
}

// Archive has the same fault, and a reason for it.
func (l *Ledger) Archive(ctx context.Context, id string) error {
	m, err := l.lock(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	//fencelint:accept unfencedwrite reason="an archive that is written twice is the same"
	return l.Store.Save(ctx, id, "archived")
}

// Both holds one lock itself and lets Close take another. The statement is the one that
// Close was told of, and what mends it there mends it here.
func (l *Ledger) Both(ctx context.Context, id string) error {
	m, err := l.lock(ctx, "all")
	if err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	return l.Close(ctx, id)
}
