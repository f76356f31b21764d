// Package raft acts on being leader of a raft.
package raft

import (
	"database/sql"
	"errors"
	"time"

	"github.com/hashicorp/raft"
)

const (
	open   = `UPDATE markets SET open = true WHERE id = 1`
	fenced = `UPDATE markets SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

var errNotLeader = errors.New("not the leader")

// Unfenced writes to a database, which knows nothing of the raft.
func Unfenced(r *raft.Raft, db *sql.DB) error {
	//fencelint:lock correctness
	for leads := range r.LeaderCh() {
		if !leads {
			continue
		}
		if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
			return err
		}
	}
	return nil
}

// Asked makes sure of it, and writes when it is over.
func Asked(r *raft.Raft, db *sql.DB) error {
	//fencelint:lock correctness
	for leads := range r.LeaderCh() {
		if !leads {
			continue
		}
		if err := r.VerifyLeader().Error(); err != nil {
			return err
		}
		if _, err := db.Exec(open); err != nil { // want "checknotfence"
			return err
		}
	}
	return nil
}

// Fenced reads its term between two looks at who leads.
func Fenced(r *raft.Raft, db *sql.DB) error {
	//fencelint:lock correctness
	for leads := range r.LeaderCh() {
		if !leads {
			continue
		}
		if r.State() != raft.Leader {
			return errNotLeader
		}
		term := r.CurrentTerm()
		if r.State() != raft.Leader {
			return errNotLeader
		}
		res, err := db.Exec(fenced, int64(term))
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errNotLeader, err)
		}
	}
	return nil
}

// Replicated lets the raft itself decide.
func Replicated(r *raft.Raft, order []byte) error {
	//fencelint:lock correctness
	for leads := range r.LeaderCh() {
		if !leads {
			continue
		}
		if err := r.Apply(order, time.Second).Error(); err != nil {
			return err
		}
	}
	return nil
}

// Unasked reads a term and does not look whose it is.
func Unasked(r *raft.Raft, db *sql.DB) error {
	//fencelint:lock correctness
	for leads := range r.LeaderCh() {
		if !leads {
			continue
		}
		res, err := db.Exec(`UPDATE towns SET fair = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(r.CurrentTerm())) // want "unboundcounter"
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errNotLeader, err)
		}
	}
	return nil
}
