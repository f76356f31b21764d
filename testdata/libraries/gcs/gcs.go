// Package gcs locks by an object that must not exist.
package gcs

import (
	"context"
	"database/sql"

	"cloud.google.com/go/storage"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number that is known to have an order.
func Unfenced(ctx context.Context, b *storage.BucketHandle, db *sql.DB) error {
	w := b.Object("lock.stall").If(storage.Conditions{DoesNotExist: true}).NewWriter(ctx)
	//fencelint:lock correctness
	if err := w.Close(); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, b *storage.BucketHandle, db *sql.DB) error {
	w := b.Object("lock.barn").If(storage.Conditions{DoesNotExist: true}).NewWriter(ctx)
	//fencelint:lock correctness
	w.Close()                           // want "acquireignored"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Once writes an object that is not there, which is no lock.
func Once(ctx context.Context, b *storage.BucketHandle, id string) error {
	w := b.Object("seen/" + id).If(storage.Conditions{DoesNotExist: true}).NewWriter(ctx)
	if _, err := w.Write([]byte("1")); err != nil {
		return err
	}
	return w.Close()
}
