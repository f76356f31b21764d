// Package elector2 is elected in a goroutine, and asks when a job begins.
package elector2

import (
	"context"
	"database/sql"

	"github.com/go-co-op/gocron-etcd-elector"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Campaign runs until it is stopped.
func Campaign(e *elector.Elector) {
	//fencelint:lock correctness
	go e.Start("/market")
}

// Believes asks the elector.
func Believes(ctx context.Context, e *elector.Elector, db *sql.DB) error {
	if err := e.IsLeader(ctx); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "checknotfence"
	return err
}
