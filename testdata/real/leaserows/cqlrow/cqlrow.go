// Package cqlrow keeps leases in rows of Cassandra, which live for as long as the statement
// says that wrote them.
package cqlrow

import (
	"context"
	"time"

	"github.com/gocql/gocql"
)

// Leases are rows.
type Leases struct {
	DB    *gocql.Session
	Owner string
}

// Take inserts a row that is not there.
func (l *Leases) Take(ctx context.Context, name string) (bool, error) {
	m := map[string]any{}
	return l.DB.Query(`INSERT INTO leases (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL ?`, name, l.Owner, 30).WithContext(ctx).MapScanCAS(m) // taken
}

// Again takes a row that nobody has.
func (l *Leases) Again(ctx context.Context, name string) (bool, error) {
	m := map[string]any{}
	return l.DB.Query(`UPDATE leases USING TTL 30 SET owner = ? WHERE name = ? IF owner = null`, l.Owner, name).WithContext(ctx).MapScanCAS(m) // taken
}

// Keep prolongs what its owner has.
func (l *Leases) Keep(ctx context.Context, name string) (bool, error) {
	m := map[string]any{}
	return l.DB.Query(`UPDATE leases USING TTL 30 SET owner = ? WHERE name = ? IF owner = ?`, l.Owner, name, l.Owner).WithContext(ctx).MapScanCAS(m)
}

// Drop gives it back.
func (l *Leases) Drop(ctx context.Context, name string) (bool, error) {
	m := map[string]any{}
	return l.DB.Query(`DELETE FROM leases WHERE name = ? IF owner = ?`, name, l.Owner).WithContext(ctx).MapScanCAS(m)
}

// Seen marks a message that need not be handled again: no lock.
func Seen(ctx context.Context, db *gocql.Session, id string, at time.Time) (bool, error) {
	m := map[string]any{}
	return db.Query(`INSERT INTO seen (id, at) VALUES (?, ?) IF NOT EXISTS USING TTL 3600`, id, at).WithContext(ctx).MapScanCAS(m)
}
