// Package txhandle takes locks that end with a transaction, through handles of gorm whose
// type does not say whether they are one.
package txhandle

import (
	"gorm.io/gorm"
)

// Store keeps cargo.
type Store struct{ db *gorm.DB }

// NewStore makes one.
func NewStore(db *gorm.DB) *Store { return &Store{db: db} }

// Save writes a state.
func (s *Store) Save(id int64, state string) error {
	return s.db.Exec("UPDATE cargo SET state = ? WHERE id = ?", state, id).Error
}

// Tx is a store whose handle is a transaction.
type Tx struct{ *Store }

// Begin opens one.
func (s *Store) Begin() *Tx { return &Tx{Store: NewStore(s.db.Begin())} }

// LockTables keeps others out until the transaction ends.
//
//fencelint:lock correctness
func (t *Tx) LockTables() error {
	return t.db.Exec("LOCK TABLE cargo IN EXCLUSIVE MODE").Error
}

// Commit ends it.
func (t *Tx) Commit() error { return t.db.Commit().Error }

// Transaction is what the work needs.
type Transaction interface {
	LockTables() error
	Save(id int64, state string) error
	Commit() error
}

// Base opens transactions.
type Base interface{ Open() Transaction }

// Open opens one.
func (s *Store) Open() Transaction { return s.Begin() }

var _ Base = (*Store)(nil)

// Work locks and writes in one transaction, through interfaces.
func Work(b Base, id int64) error {
	tx := b.Open()
	if err := tx.LockTables(); err != nil {
		return err
	}
	if err := tx.Save(id, "packed"); err != nil {
		return err
	}
	return tx.Commit()
}

// Main does so with what it opens.
func Main(db *gorm.DB) error { return Work(NewStore(db), 1) }

// Given locks and writes through a handle that a caller has begun.
func given(tx *gorm.DB, id int64) error {
	//fencelint:lock correctness
	if err := tx.Exec("SELECT pg_advisory_xact_lock(7)").Error; err != nil {
		return err
	}
	return tx.Exec("UPDATE cargo SET state = 'x' WHERE id = ?", id).Error
}

// Within begins it.
func Within(db *gorm.DB, id int64) error {
	return db.Transaction(func(tx *gorm.DB) error { return given(tx, id) })
}

// Plain has no transaction, as far as anybody can see.
func Plain(db *gorm.DB, id int64) error {
	//fencelint:lock correctness
	if err := db.Exec("SELECT pg_advisory_xact_lock(8)").Error; err != nil { // want "txlock"
		return err
	}
	return db.Exec("UPDATE cargo SET state = 'x' WHERE id = ?", id).Error
}

// Outside sends the write through another handle.
func Outside(db *gorm.DB, id int64) error {
	return db.Transaction(func(tx *gorm.DB) error {
		//fencelint:lock correctness
		if err := tx.Exec("SELECT pg_advisory_xact_lock(9)").Error; err != nil {
			return err
		}
		return db.Exec("UPDATE cargo SET state = 'x' WHERE id = ?", id).Error // want "unfencedwrite"
	})
}

// Opened takes the lock through a pool.
func Opened(d gorm.Dialector, id int64) error {
	db, err := gorm.Open(d)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := db.Exec("SELECT pg_advisory_xact_lock(10)").Error; err != nil { // want "txlock"
		return err
	}
	return db.Exec("UPDATE cargo SET state = 'x' WHERE id = ?", id).Error
}
