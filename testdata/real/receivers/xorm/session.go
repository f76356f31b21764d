package xorm

import (
	"xorm.io/xorm"
)

// GoodSession writes in the transaction that takes the lock.
func GoodSession(e *xorm.Engine) error {
	s := e.NewSession()
	defer s.Close()
	if err := s.Begin(); err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err := s.Exec("SELECT pg_advisory_xact_lock(?)", 7); err != nil {
		return err
	}
	if _, err := s.Exec("UPDATE stools SET legs = legs + 1 WHERE id = ?", 1); err != nil {
		return err
	}
	return s.Commit()
}

// BadSession writes past it.
func BadSession(e *xorm.Engine) error {
	s := e.NewSession()
	defer s.Close()
	if err := s.Begin(); err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err := s.Exec("SELECT pg_advisory_xact_lock(?)", 7); err != nil {
		return err
	}
	if _, err := e.Exec("UPDATE stools SET legs = legs + 1 WHERE id = ?", 2); err != nil { // want "unfencedwrite"
		return err
	}
	return s.Commit()
}

// BadPool takes a lock of one connection through the pool.
func BadPool(e *xorm.Engine) error {
	//fencelint:lock correctness
	if _, err := e.Exec("SELECT pg_advisory_lock(?)", 7); err != nil { // want "poollock"
		return err
	}
	_, err := e.Exec("UPDATE stools SET legs = legs + 1 WHERE id = ?", 3)
	return err
}

// NoBegin takes a lock of a transaction on a session that has none.
func NoBegin(e *xorm.Engine) error {
	s := e.NewSession()
	defer s.Close()
	//fencelint:lock correctness
	if _, err := s.Exec("SELECT pg_advisory_xact_lock(?)", 7); err != nil { // want "txlock"
		return err
	}
	_, err := s.Exec("UPDATE stools SET legs = legs + 1 WHERE id = ?", 4)
	return err
}
