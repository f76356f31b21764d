// Package migrate locks by a driver of migrations.
package migrate

import (
	"database/sql"
	"strings"

	"github.com/golang-migrate/migrate/v4/database"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Other writes to another database than the driver's.
func Other(d database.Driver, db *sql.DB) error {
	//fencelint:lock correctness
	if err := d.Lock(); err != nil {
		return err
	}
	defer d.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Own runs a migration through it.
func Own(d database.Driver) error {
	//fencelint:lock efficiency
	if err := d.Lock(); err != nil {
		return err
	}
	defer d.Unlock()
	return d.Run(strings.NewReader(open))
}

// Ignored goes on without the lock.
func Ignored(d database.Driver, db *sql.DB) error {
	//fencelint:lock correctness
	d.Lock() // want "acquireignored"
	defer d.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}
