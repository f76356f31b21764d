package gormstore

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

type seat struct {
	ID    int64
	Taken bool
}

func (seat) TableName() string { return "seats" }

func take(tx *gorm.DB, id int64) error {
	return tx.Model(&seat{}).Where("id = ?", id).Update("taken", true).Error
}

// LateCommit commits when the lock is given back.
func LateCommit(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/seats")
	tx := db.WithContext(ctx).Begin()
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		tx.Rollback()
		return err
	}
	if err := take(tx, id); err != nil { // want "unfencedwrite"
		m.Unlock(ctx)
		tx.Rollback()
		return err
	}
	if err := m.Unlock(ctx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit().Error // want "writeafterrelease"
}

// LateWrite writes once more when the lock is given back.
func LateWrite(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/seats")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	if err := take(db, id); err != nil { // want "unfencedwrite"
		m.Unlock(ctx)
		return err
	}
	if err := m.Unlock(ctx); err != nil {
		return err
	}
	return take(db, id+1) // want "writeafterrelease"
}
