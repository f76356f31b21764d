// Package lockedrecord reads records through mappers that lock their rows, and compares them in Go.
package lockedrecord

import (
	"context"
	"errors"

	"github.com/go-pg/pg/v10"
	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"xorm.io/xorm"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/kegs")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Cask is a row with its fence.
type Cask struct {
	ID, Epoch int64
	State     string
}

// Keg is a row with its fence.
type Keg struct {
	ID, Epoch int64
	State     string
}

// Tun is a row with its fence.
type Tun struct {
	ID, Epoch int64
	State     string
}

// Hop is a row with its fence.
type Hop struct {
	ID, Epoch int64
	State     string
}

// Vat is a row with its fence.
type Vat struct {
	ID, Epoch int64
	State     string
}

// Tap is a row with its fence.
type Tap struct {
	ID, Epoch int64
	State     string
}

// Malt is a row with its fence.
type Malt struct {
	ID, Epoch int64
	State     string
}

// Yeast is a row with its fence.
type Yeast struct {
	ID, Epoch int64
	State     string
}

// GormNeverStored compares a number that nothing stores.
func GormNeverStored(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Cask
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&Cask{}).Where("id = ?", id).Update("state", "x").Error // want "fencenotadvanced"
		})
	})
}

// Gorm stores the number with the record.
func Gorm(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Keg
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
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

// GormFirst stores it before another row is written.
func GormFirst(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Tun
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			if err := tx.Model(&k).Update("epoch", epoch).Error; err != nil {
				return err
			}
			return tx.Model(&Hop{}).Where("id = ?", id).Update("state", "x").Error
		})
	})
}

// GormLowered takes it back with a map.
func GormLowered(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Tun
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			return tx.Model(&k).Updates(map[string]any{"epoch": 0, "state": "x"}).Error // want "nulladmitted"
		})
	})
}

// BunNeverStored compares a number that nothing stores.
func BunNeverStored(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Vat)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE").Scan(ctx); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			_, err := tx.NewUpdate().Model(k).Column("state").Where("id = ?", id).Exec(ctx) // want "fencenotadvanced"
			return err
		})
	})
}

// XormNeverStored compares a number that nothing stores.
func XormNeverStored(ctx context.Context, s *concurrency.Session, db *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Transaction(func(tx *xorm.Session) (any, error) {
			k := new(Tap)
			ok, err := tx.ID(id).ForUpdate().Get(k)
			if err != nil {
				return nil, err
			}
			if !ok || k.Epoch > epoch {
				return nil, errStale
			}
			_, err = tx.ID(id).Cols("state").Update(&Tap{State: "x"}) // want "fencenotadvanced"
			return nil, err
		})
		return err
	})
}

// Pg stores the number with the record.
func Pg(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTransaction(ctx, func(tx *pg.Tx) error {
			k := &Malt{ID: id}
			if err := tx.Model(k).WherePK().For("UPDATE").Select(); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch, k.State = epoch, "x"
			_, err := tx.Model(k).WherePK().Update()
			return err
		})
	})
}

// PgUnlocked does not lock the row.
func PgUnlocked(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTransaction(ctx, func(tx *pg.Tx) error {
			k := &Malt{ID: id}
			if err := tx.Model(k).WherePK().Select(); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch, k.State = epoch, "x"
			_, err := tx.Model(k).WherePK().Update() // want "checkthenact"
			return err
		})
	})
}

// PgNeverStored compares a number that nothing stores.
func PgNeverStored(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTransaction(ctx, func(tx *pg.Tx) error {
			k := new(Yeast)
			if err := tx.Model(k).Where("id = ?", id).For("UPDATE").Select(); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			_, err := tx.Model(k).Column("state").WherePK().Update() // want "fencenotadvanced"
			return err
		})
	})
}

// Mash is a row with its fence.
type Mash struct {
	ID, Epoch int64
	State     string
}

// Wort is a row with its fence.
type Wort struct {
	ID, Epoch int64
	State     string
}

// GormAsItWas stores the record with the number that it had.
func GormAsItWas(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Mash
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.State = "x"
			return tx.Save(&k).Error // want "fencenotadvanced"
		})
	})
}

// GormByText stores the number by a statement of its own.
func GormByText(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Wort
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			if err := tx.Exec("UPDATE worts SET epoch = ? WHERE id = ?", epoch, id).Error; err != nil {
				return err
			}
			return tx.Model(&Wort{}).Where("id = ?", id).Update("state", "x").Error
		})
	})
}

// Undone locks behind a point to which the transaction goes back.
func Undone(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			tx.SavePoint("a")
			var k Keg
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			if err := tx.RollbackTo("a").Error; err != nil {
				return err
			}
			k.Epoch = epoch
			return tx.Save(&k).Error // want "checkthenact"
		})
	})
}

// Ended ends the transaction before the write.
func Ended(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Keg
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			if err := tx.Exec("COMMIT").Error; err != nil {
				return err
			}
			return tx.Model(&Hop{}).Where("id = ?", id).Update("state", "x").Error // want "unfencedwrite"
		})
	})
}

// BunLowered stores the record with another number than it had.
func BunLowered(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Lees)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE").Scan(ctx); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = 0
			_, err := tx.NewUpdate().Model(k).Where("id = ?", id).Exec(ctx) // want "nulladmitted"
			return err
		})
	})
}

// BunStored stores it with that of the lock.
func BunStored(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Lees)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE").Scan(ctx); err != nil {
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

// Lees is a row with its fence.
type Lees struct {
	ID    int64 `bun:"id,pk"`
	Epoch int64
	State string
}
