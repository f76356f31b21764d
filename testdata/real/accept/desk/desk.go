// Package desk has decided about each of its writes.
package desk

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Statement has its decision on the statement.
func Statement(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/statement")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite reason="the row is rebuilt every night" owner=desk
	_, err := db.ExecContext(ctx, `UPDATE lists_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Function has it on the function, for both of its writes.
//
//fencelint:accept unfencedwrite reason="an auditor compares both sums once a day" compensation="the older sum is booked back"
func Function(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/function")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if _, err := db.ExecContext(ctx, `UPDATE sums_plain SET n = n + 1 WHERE id = $1`, id); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE totals_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Call has it on the call that leads to the write.
func Call(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/call")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return note(ctx, db, id) //fencelint:accept unfencedwrite reason="only the newest note is ever read"
}

func note(ctx context.Context, db *sql.DB, id int64) error {
	_, err := db.ExecContext(ctx, `UPDATE notes_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}

// Other has a decision about another rule than the one that is broken.
func Other(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/otherrule")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept staleadmitted reason="owners follow each other slowly" // want "fencedirective"
	_, err := db.ExecContext(ctx, `UPDATE slips_plain SET n = n + 1 WHERE id = $1`, id) // want "unfencedwrite"
	return err
}

// Book is what the desk needs of a store.
type Book interface {
	Enter(ctx context.Context, id int64) error
	Strike(ctx context.Context, id int64) error
}

// Desk keeps a book.
type Desk struct {
	Session *concurrency.Session
	Book    Book
}

// Enter has decided about whatever the book does.
func (d *Desk) Enter(ctx context.Context, id int64) error {
	mu := concurrency.NewMutex(d.Session, "/locks/enter")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite reason="entries are only ever added, and sorted out by hand"
	return d.Book.Enter(ctx, id)
}

// Strike has decided nothing.
func (d *Desk) Strike(ctx context.Context, id int64) error {
	mu := concurrency.NewMutex(d.Session, "/locks/strike")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return d.Book.Strike(ctx, id)
}
