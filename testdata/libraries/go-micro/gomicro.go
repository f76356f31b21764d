// Package gomicro uses the interface of a framework.
package gomicro

import (
	"database/sql"
	"errors"
	"time"

	"github.com/micro/go-micro/v2/sync"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(s sync.Sync, db *sql.DB) error {
	//fencelint:lock correctness
	if err := s.Lock("stall"); err != nil {
		return err
	}
	defer s.Unlock("stall")
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(s sync.Sync, db *sql.DB) error {
	//fencelint:lock correctness
	s.Lock("stall") // want "acquireignored"
	defer s.Unlock("stall")
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Leads is told when it does not lead any more.
func Leads(s sync.Sync, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := s.Leader("market")
	if err != nil {
		return err
	}
	defer l.Resign()
	for {
		select {
		case <-l.Status():
			return errors.New("lost")
		case <-time.After(time.Minute):
		}
		if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
			return err
		}
	}
}

// Deaf does not listen.
func Deaf(s sync.Sync, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := s.Leader("market") // want "losssignal"
	if err != nil {
		return err
	}
	defer l.Resign()
	for {
		if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Minute)
	}
}
