// Package passedrecord locks rows through a mapper that may pass over them, or locks another row.
package passedrecord

import (
	"context"
	"errors"

	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/crates")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Crate is a row with its fence.
type Crate struct {
	ID, Epoch int64
	State     string
}

// Skip returns when it met no row.
func Skip(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch, k.State = epoch, "x"
			return tx.Save(&k).Error
		})
	})
}

// SkipUnread does not ask whether it met one.
func SkipUnread(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).First(&k, id)
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&k).Where("id = ?", id).Updates(map[string]any{"epoch": epoch, "state": "x"}).Error // want "staleadmitted"
		})
	})
}

// SkipFind asks for an error, of which there is none without a row.
func SkipFind(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: clause.LockingOptionsSkipLocked}).Find(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&k).Where("id = ?", id).Updates(map[string]any{"epoch": epoch, "state": "x"}).Error // want "staleadmitted"
		})
	})
}

// SkipFindAsked asks for the number of rows.
func SkipFindAsked(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			res := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: clause.LockingOptionsSkipLocked}).Find(&k, id)
			if res.Error != nil {
				return res.Error
			}
			if res.RowsAffected == 0 {
				return errStale
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&k).Where("id = ?", id).Updates(map[string]any{"epoch": epoch, "state": "x"}).Error
		})
	})
}

// OtherKey locks the row of one key and stores in that of another.
func OtherKey(ctx context.Context, s *concurrency.Session, db *gorm.DB, id, other int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&Crate{}).Where("id = ?", other).Updates(map[string]any{"epoch": epoch, "state": "x"}).Error // want "staleadmitted"
		})
	})
}

// OtherWhere names both by conditions.
func OtherWhere(ctx context.Context, s *concurrency.Session, db *gorm.DB, id, other int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Crate
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).First(&k).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&Crate{ID: other}).Updates(map[string]any{"epoch": epoch, "state": "x"}).Error // want "staleadmitted"
		})
	})
}

// BunSkip returns when it met no row.
func BunSkip(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Crate)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE SKIP LOCKED").Scan(ctx); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			_, err := tx.NewUpdate().Model(k).Where("id = ?", id).Exec(ctx)
			return err
		})
	})
}

// BunSkipUnread goes on without a row.
func BunSkipUnread(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Crate)
			_ = tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE SKIP LOCKED").Scan(ctx)
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			_, err := tx.NewUpdate().Model(k).Where("id = ?", id).Exec(ctx) // want "staleadmitted"
			return err
		})
	})
}
