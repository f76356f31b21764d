// Package app puts locks, store and sweeper together.
package app

import (
	"context"
	"database/sql"

	"fencelint.example/real/ctxlocks/locks"
	"fencelint.example/real/ctxlocks/store"
	"fencelint.example/real/ctxlocks/sweeper"
)

// Run sweeps.
func Run(ctx context.Context, db *sql.DB, feeds []sweeper.Feed) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	s := &sweeper.Sweeper{Locks: &locks.Session{Conn: conn}, Store: &store.Feeds{DB: db}, Feeds: feeds} // want "unfencedwrite"
	return s.Run(ctx)
}
