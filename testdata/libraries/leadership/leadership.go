// Package leadership campaigns in a store of libkv.
package leadership

import (
	"database/sql"
	"time"

	"github.com/docker/leadership"
	"github.com/docker/libkv/store"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced is told by a channel, and has no number to present.
func Unfenced(s store.Store, db *sql.DB) error {
	c := leadership.NewCandidate(s, "market", "me", time.Minute)
	//fencelint:lock correctness
	elected, failed := c.RunForElection()
	for {
		select {
		case leads := <-elected:
			if !leads {
				continue
			}
			if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
				return err
			}
		case err := <-failed:
			return err
		}
	}
}

// Believes asks the candidate.
func Believes(c *leadership.Candidate, db *sql.DB) error {
	if !c.IsLeader() {
		return nil
	}
	_, err := db.Exec(open) // want "checknotfence"
	return err
}
