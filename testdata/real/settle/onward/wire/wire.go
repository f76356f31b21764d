// Package wire chooses the stores of two programs and shows them as interfaces, so that
// what a lock in service expects of a store is judged here.
package wire

import (
	"database/sql"

	fencedpg "fencelint.example/real/settle/fenced/postgres"
	fenced "fencelint.example/real/settle/fenced/service"
	plainpg "fencelint.example/real/settle/unfenced/postgres"
	plain "fencelint.example/real/settle/unfenced/service"
)

// Plain returns a store that takes every write.
func Plain(db *sql.DB) plain.Store {
	return plainpg.New(db) // want "unfencedwrite"
}

// Fenced returns a store that compares.
func Fenced(db *sql.DB) fenced.Store {
	return fencedpg.New(db)
}
