// Package lockgate has names for owners, and tells of a loss by a function.
package lockgate

import (
	"database/sql"
	"os"
	"time"

	"github.com/werf/lockgate"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ok, h, err := l.Acquire("stall", lockgate.AcquireOptions{OnLostLeaseFunc: func(lockgate.LockHandle) error { os.Exit(1); return nil }})
	if err != nil || !ok {
		return err
	}
	defer l.Release(h)
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// ErrOnly takes an answer without an error for a grant.
func ErrOnly(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	_, h, err := l.Acquire("stall", lockgate.AcquireOptions{NonBlocking: true}) // want "acquireignored"
	if err != nil {
		return err
	}
	defer l.Release(h)
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// Deaf works on for ever and has nobody tell it.
func Deaf(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ok, h, err := l.Acquire("stall", lockgate.AcquireOptions{}) // want "losssignal"
	if err != nil || !ok {
		return err
	}
	defer l.Release(h)
	for {
		if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Minute)
	}
}

// Named presents the name of its grant as a fence.
func Named(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	ok, h, err := l.Acquire("barn", lockgate.AcquireOptions{})
	if err != nil || !ok {
		return err
	}
	defer l.Release(h)
	_, err = db.Exec(`UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, h.UUID) // want "opaquetoken"
	return err
}

// Region is run also where the lock was not acquired.
func Region(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	return lockgate.WithAcquire(l, "stall", lockgate.AcquireOptions{NonBlocking: true}, func(acquired bool) error {
		if !acquired {
			return nil
		}
		_, err := db.Exec(open) // want "unfencedwrite"
		return err
	})
}

// Unlooked does not look.
func Unlooked(l lockgate.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	return lockgate.WithAcquire(l, "stall", lockgate.AcquireOptions{NonBlocking: true}, func(bool) error { // want "acquireignored"
		_, err := db.Exec(open) // want "unfencedwrite"
		return err
	})
}
