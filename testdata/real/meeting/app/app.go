// Package app puts the packages together for programs.
package app

import (
	"context"
	"database/sql"

	"fencelint.example/real/meeting/annex"
	"fencelint.example/real/meeting/worker"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Run sends one shipment, and keeps another back.
func Run(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	if err := worker.Ship(ctx, concurrency.NewMutex(s, "/shipments"), db, "1"); err != nil {
		return err
	}
	return annex.Keep(ctx, db, "2")
}
