// Package wire chooses the stores of the program.
package wire

import (
	"database/sql"

	"fencelint.example/real/settle/unfenced/postgres"
)

// Store returns the store of invoices.
func Store(db *sql.DB) *postgres.Store { return postgres.New(db) }
