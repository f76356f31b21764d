// Package xorms locks rows in a transaction.
package xorms

import (
	"xorm.io/xorm"
)

// Stall is a row.
type Stall struct {
	ID   int64
	Open bool
}

// Locked writes in the transaction that holds the row.
func Locked(e *xorm.Engine) error {
	s := e.NewSession()
	defer s.Close()
	if err := s.Begin(); err != nil {
		return err
	}
	var st Stall
	if _, err := s.ForUpdate().ID(1).Get(&st); err != nil {
		return err
	}
	if _, err := s.ID(1).Cols("open").Update(&Stall{Open: true}); err != nil {
		return err
	}
	return s.Commit()
}

// Unlocked locks outside of a transaction, where the lock ends with the statement; only a
// directive would make it a lock.
func Unlocked(e *xorm.Engine) error {
	s := e.NewSession()
	defer s.Close()
	var st Stall
	if _, err := s.ForUpdate().ID(1).Get(&st); err != nil {
		return err
	}
	_, err := s.ID(1).Cols("open").Update(&Stall{Open: true})
	return err
}
