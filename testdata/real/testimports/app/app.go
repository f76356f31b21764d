// Package app gives the worker its store: here it is said, once, what that does.
package app

import (
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/testimports/table"
	"fencelint.example/real/testimports/worker"
)

// New is a worker on a table.
func New(s *concurrency.Session, db *sql.DB) *worker.Worker {
	return &worker.Worker{Session: s, Store: &table.Prices{DB: db}} // want "unfencedwrite"
}
