// Package wiring chooses the stores, and tells nobody which.
package wiring

import (
	"database/sql"

	"fencelint.example/real/wired/rows"
	"fencelint.example/real/wired/store"
)

// Open is a store that overwrites.
func Open(db *sql.DB) store.Store { return &rows.Open{DB: db} }

// Fenced is a store that compares.
func Fenced(db *sql.DB) store.Store { return &rows.Fenced{DB: db} }

// named is a store with a name: it has the method of what it embeds.
type named struct {
	*rows.Base
	name string
}

// Named is a store that overwrites, with a name.
func Named(db *sql.DB, name string) store.Store { return named{&rows.Base{DB: db}, name} }
