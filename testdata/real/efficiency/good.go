// Package efficiency has locks that only save work.
package efficiency

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Crawl may fetch a page twice.
func Crawl(ctx context.Context, s *concurrency.Session, db *sql.DB, url string) error {
	mu := concurrency.NewMutex(s, "/cheap/crawl")
	//fencelint:lock efficiency
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE pages SET fetched = now() WHERE url = $1`, url)
	return err
}

// Index may build the same rows twice.
func Index(ctx context.Context, s *concurrency.Session, db *sql.DB, word string) error {
	e := concurrency.NewElection(s, "/cheap/index")
	//fencelint:lock efficiency reason="two builders write the same bytes"
	if err := e.Campaign(ctx, "indexer"); err != nil {
		return err
	}
	defer e.Resign(context.WithoutCancel(ctx))
	if err := drop(ctx, db, word); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `INSERT INTO words (word) VALUES ($1) ON CONFLICT DO NOTHING`, word)
	return err
}

func drop(ctx context.Context, db *sql.DB, word string) error {
	_, err := db.ExecContext(ctx, `DELETE FROM words WHERE word = $1`, word)
	return err
}
