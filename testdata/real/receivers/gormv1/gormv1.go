// Package gormv1 writes through the first gorm, each of whose steps makes a copy.
package gormv1

import (
	"context"
	"errors"

	"github.com/jinzhu/gorm"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Stamp is a row with its fence.
type Stamp struct {
	ID    int64
	Used  bool
	Epoch int64
}

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/stamps")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Use stores a map under the condition.
func Use(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Stamp{}).Where("id = ?", id).Where("epoch < ?", epoch).Updates(map[string]interface{}{"used": true, "epoch": epoch}))
	})
}

// Lost drops the step that compares.
func Lost(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx := db.Model(&Stamp{}).Where("id = ?", id)
		tx.Where("epoch < ?", epoch)
		return changed(tx.Updates(map[string]interface{}{"epoch": epoch})) // want "tokennotcompared"
	})
}

// Or opens the condition.
func Or(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Table("ors").Where("epoch < ?", epoch).Or("id = ?", id).Update("epoch", epoch)) // want "staleadmitted"
	})
}

// Saved writes by the primary key.
func Saved(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Save(&Stamp{ID: id, Epoch: epoch}).Error // want "tokennotcompared"
	})
}

func changed(tx *gorm.DB) error {
	if tx.Error != nil {
		return tx.Error
	}
	if tx.RowsAffected == 0 {
		return errStale
	}
	return nil
}
