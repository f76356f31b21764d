// Package wire chooses the stores of the program and shows them as interfaces, so that
// what a lock elsewhere expects of a store is judged here.
package wire

import (
	"database/sql"

	"fencelint.example/real/settle/fenced/postgres"
	"fencelint.example/real/settle/fenced/service"
	"fencelint.example/real/settle/onward/ledger"
	"fencelint.example/real/settle/onward/refund"
)

// Refunds returns a store that takes every write.
func Refunds(db *sql.DB) refund.Store {
	return ledger.Ledger{DB: db} // want "unfencedwrite"
}

// Invoices returns a store that compares.
func Invoices(db *sql.DB) service.Store {
	return postgres.New(db)
}
