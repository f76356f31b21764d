// Package dsync locks at a quorum of lock servers.
package dsync

import (
	"database/sql"
	"time"

	"github.com/minio/dsync/v3"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced waits for ever and has no number to present.
func Unfenced(m *dsync.DRWMutex, db *sql.DB) error {
	//fencelint:lock correctness
	m.Lock("me", "stall.go")
	defer m.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Ignored does not look at the bool.
func Ignored(m *dsync.DRWMutex, db *sql.DB) error {
	//fencelint:lock correctness
	m.GetLock("me", "stall.go", time.Second) // want "acquireignored"
	defer m.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Cheap saves work only.
func Cheap(m *dsync.DRWMutex, db *sql.DB) error {
	//fencelint:lock efficiency
	if !m.GetLock("me", "page.go", time.Second) {
		return nil
	}
	defer m.Unlock()
	_, err := db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}

// Late writes when the lock is gone.
func Late(m *dsync.DRWMutex, db *sql.DB) error {
	//fencelint:lock correctness
	if !m.GetLock("me", "stall.go", time.Second) {
		return nil
	}
	m.Unlock()
	_, err := db.Exec(open) // want "writeafterrelease"
	return err
}
