package unclassified

import (
	"context"
	"database/sql"
	"testing"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// A lock in a test needs no class.
func TestLock(t *testing.T) {
	var s *concurrency.Session
	var db *sql.DB
	if s == nil {
		return // there is no etcd here
	}
	mu := concurrency.NewMutex(s, "/locks/test")
	if err := mu.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer mu.Unlock(context.Background())
	if _, err := db.Exec(`UPDATE balls_plain SET n = 0`); err != nil {
		t.Fatal(err)
	}
}
