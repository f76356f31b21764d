// Package worker works at documents that it leases. How the lease is kept is not to be read
// from the store, but that there is one is to be read from what its interface is called.
package worker

import (
	"context"
	"database/sql"
	"time"

	"fencelint.example/real/leased/docs"
)

// Worker works.
type Worker struct {
	docs  docs.Docs
	shelf docs.Shelf
	db    *sql.DB
}

// New asks a service for documents.
func New(url string, db *sql.DB) *Worker {
	return &Worker{docs: docs.New(url, "w"), shelf: docs.NewShelf(), db: db}
}

// Once works at one document.
func (w *Worker) Once(ctx context.Context) error {
	d, err := w.docs.Dequeue(ctx) // open
	if err != nil || d == nil {
		return err
	}
	go w.beat(ctx, d.Key)
	if _, err := w.db.ExecContext(ctx, `UPDATE pages SET read = true WHERE doc = $1`, d.Key); err != nil {
		return err
	}
	_, err = w.docs.EndLease(ctx, d.Key, "done")
	return err
}

// beat only keeps the lease.
func (w *Worker) beat(ctx context.Context, key string) {
	for range time.Tick(time.Second) {
		if _, err := w.docs.Lease(ctx, key); err != nil {
			return
		}
	}
}

// Local takes from memory what nobody else sees.
func (w *Worker) Local(ctx context.Context) error {
	d, err := w.shelf.Dequeue(ctx)
	if err != nil || d == nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE pages SET shelved = true WHERE doc = $1`, d.Key)
	return err
}
