// Package gorm locks rows in a transaction.
package gorm

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Stall is a row.
type Stall struct {
	ID   int64
	Open bool
}

// Locked writes in the transaction that holds the row.
func Locked(db *gorm.DB) error {
	return db.Transaction(func(tx *gorm.DB) error {
		var s Stall
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&s, 1).Error; err != nil {
			return err
		}
		return tx.Model(&s).Update("open", true).Error
	})
}

// Unlocked locks outside of a transaction, where the lock ends with the statement; only a
// directive would make it a lock.
func Unlocked(db *gorm.DB) error {
	var s Stall
	if err := db.Clauses(clause.Locking{Strength: "UPDATE"}).First(&s, 1).Error; err != nil {
		return err
	}
	return db.Model(&s).Update("open", true).Error
}
