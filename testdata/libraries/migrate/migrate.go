// Package migrate locks by a driver of migrations.
package migrate

import (
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/golang-migrate/migrate/v4/database"
)

var errLate = errors.New("the lock was not to be had in time")

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

// Same writes through the driver that has the lock: whether on the same connection is not
// seen.
func Same(d database.Driver) error {
	//fencelint:lock correctness
	if err := d.Lock(); err != nil {
		return err
	}
	defer d.Unlock()
	return d.Run(strings.NewReader(open)) // want "unprovedwrite"
}

// waiting waits for the lock no longer than a minute.
func waiting(d database.Driver) error {
	got := make(chan error, 2)
	time.AfterFunc(time.Minute, func() { got <- errLate })
	go func() {
		//fencelint:lock correctness
		err := d.Lock()
		got <- err
	}()
	return <-got
}

// Waited writes through the driver whose lock a goroutine took.
func Waited(d database.Driver) error {
	if err := waiting(d); err != nil {
		return err
	}
	defer d.Unlock()
	return d.Run(strings.NewReader(open)) // want "unprovedwrite"
}
