// Package outer stands between the choice and the program.
package outer

import (
	"database/sql"

	"fencelint.example/real/wired/store"
	"fencelint.example/real/wired/wiring"
)

// Open passes on a store that overwrites.
func Open(db *sql.DB) store.Store { return wiring.Open(db) }

// Fenced passes on one that compares.
func Fenced(db *sql.DB) store.Store { return wiring.Fenced(db) }

// Named passes on one with a name.
func Named(db *sql.DB) store.Store { return wiring.Named(db, "outer") }
