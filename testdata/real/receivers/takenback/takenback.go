// Package takenback moves the fence by a mapper beside the statement that compares it.
package takenback

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/gates")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
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

// Guarded writes two rows behind the guard.
func Guarded(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := changed(tx.Table("fences").Where("name = ?", "t").Where("epoch <= ?", epoch).Update("epoch", epoch)); err != nil {
				return err
			}
			if err := tx.Table("rows").Where("id = ?", id).Update("full", true).Error; err != nil {
				return err
			}
			return tx.Table("others").Where("id = ?", id).Update("full", true).Error
		})
	})
}

// After takes the fence back behind it.
func After(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := changed(tx.Table("fences").Where("name = ?", "t").Where("epoch <= ?", epoch).Update("epoch", epoch)); err != nil {
				return err
			}
			return tx.Table("fences").Where("name = ?", "t").Update("epoch", 0).Error // want "nulladmitted"
		})
	})
}

// Last has the guard last.
func Last(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Table("rows").Where("id = ?", id).Update("full", true).Error; err != nil {
				return err
			}
			return changed(tx.Table("fences").Where("name = ?", "t").Where("epoch <= ?", epoch).Update("epoch", epoch))
		})
	})
}

// Before takes the fence back before it.
func Before(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Table("fences").Where("name = ?", "t").Update("epoch", 0).Error; err != nil { // want "unfencedwrite"
				return err
			}
			return changed(tx.Table("fences").Where("name = ?", "t").Where("epoch <= ?", epoch).Update("epoch", epoch))
		})
	})
}
