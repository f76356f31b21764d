// Package jobs runs a job while no other process does.
package jobs

import (
	"context"
	"database/sql"
	"net/http"

	"fencelint.example/real/askedonce/lock"
)

// Run has no class for its lock, of which the wrapper is asked.
func Run(ctx context.Context, db *sql.DB) error {
	t, err := lock.Begin(ctx, db)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if !lock.Try(ctx, t, "purge") {
		return nil
	}
	if err := t.Execute(ctx, "DELETE FROM notes WHERE read"); err != nil {
		return err
	}
	return t.Commit()
}

// Purge writes in the transaction of its lock, and tells somebody, who cannot know.
func Purge(ctx context.Context, db *sql.DB) error {
	t, err := lock.Begin(ctx, db)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if !lock.Take(ctx, t, "purge") {
		return nil
	}
	if err := t.Execute(ctx, "DELETE FROM notes WHERE read"); err != nil {
		return err
	}
	r, err := http.Post("https://mail.example/purged", "text/plain", nil) // want "missingidempotency"
	if err != nil {
		return err
	}
	defer r.Body.Close()
	return t.Commit()
}
