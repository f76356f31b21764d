// Package xormrow keeps a lease in a row that xorm writes.
package xormrow

import (
	"time"

	"xorm.io/xorm"
)

// JobLease is a row.
type JobLease struct {
	Name      string
	Holder    string
	ExpiresAt time.Time
}

// Take lets the next holder in when the time of the last one is over.
func Take(db *xorm.Engine, name, holder string, now, until time.Time) (bool, error) {
	n, err := db.Table("job_lease").Where("name = ? AND expires_at < ?", name, now). // taken
												Update(map[string]any{"holder": holder, "expires_at": until})
	return n == 1, err
}

// Close closes an order while it is open.
func Close(db *xorm.Engine, id int64) (bool, error) {
	n, err := db.Table("orders").Where("id = ? AND state = 'open'", id).Update(map[string]any{"state": "closed"})
	return n == 1, err
}
