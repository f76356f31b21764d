// Package redsync uses the first version.
package redsync

import (
	"database/sql"
	"time"

	"github.com/go-redsync/redsync"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall", redsync.SetExpiry(time.Minute))
	//fencelint:lock correctness
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock, and without its renewal.
func Ignored(rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("stall")
	//fencelint:lock correctness
	m.Lock() // want "acquireignored"
	defer m.Unlock()
	m.Extend()              // want "renewalerror"
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Cheap saves work only.
func Cheap(rs *redsync.Redsync, db *sql.DB) error {
	m := rs.NewMutex("page")
	//fencelint:lock efficiency
	if err := m.Lock(); err != nil {
		return err
	}
	defer m.Unlock()
	_, err := db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}
