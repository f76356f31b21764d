// Package pieces has texts and parts of texts for another package.
package pieces

import (
	"embed"
	"strings"
)

//go:embed advance.sql
var Advance string

//go:embed plain.sql
var plain []byte

// Plain is a file without a condition.
func Plain() string { return string(plain) }

//go:embed *.sql
var files embed.FS

// Load reads one of the files that are part of the program.
func Load(name string) (string, error) {
	b, err := files.ReadFile(name + ".sql")
	return string(b), err
}

// Queries are statements by name.
var Queries = map[string]string{
	"advance": "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2",
	"plain":   "UPDATE looms SET state = $2 WHERE id = $1",
}

// Where writes a condition that compares.
func Where(b *strings.Builder) {
	b.WriteString(" WHERE id = $1")
	b.WriteString(" AND fence < $2")
}

// Anywhere writes a condition that does not.
func Anywhere(b *strings.Builder) { b.WriteString(" WHERE id = $1") }
