// Package records hands mappers records whose fields are assigned on the way.
package records

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-pg/pg/v10"
	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
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

// Vat is a row with its fence.
type Vat struct {
	ID    int64 `bun:",pk" pg:",pk" xorm:"pk"`
	State string
	Epoch int64
}

// Bun stores a record that it was handed.
func Bun(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NewUpdate().Model(k).WherePK().Where("epoch < ?", epoch).Exec(ctx))
	})
}

// Gorm does the same.
func Gorm(ctx context.Context, s *concurrency.Session, db *gorm.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		r := db.Model(k).Where("epoch < ?", epoch).Updates(k)
		if r.Error != nil {
			return r.Error
		}
		if r.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// GormRead stores a record that it has read.
func GormRead(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		var k Vat
		if err := db.First(&k, id).Error; err != nil {
			return err
		}
		k.State = "x"
		k.Epoch = epoch
		r := db.Model(&k).Where("epoch < ?", epoch).Updates(&k)
		if r.Error != nil {
			return r.Error
		}
		if r.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// Pg stores a record that it was handed.
func Pg(ctx context.Context, s *concurrency.Session, db *pg.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		r, err := db.Model(k).WherePK().Where("epoch < ?", epoch).Update()
		if err != nil {
			return err
		}
		if r.RowsAffected() == 0 {
			return errStale
		}
		return nil
	})
}

// Xorm does the same.
func Xorm(ctx context.Context, s *concurrency.Session, db *xorm.Engine, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		n, err := db.ID(k.ID).Where("epoch < ?", epoch).Cols("state", "epoch").Update(k)
		if err != nil {
			return err
		}
		if n == 0 {
			return errStale
		}
		return nil
	})
}

// Other compares one number and stores another.
func Other(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat, other int64) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = other
		return counted(db.NewUpdate().Model(k).WherePK().Where("epoch < ?", epoch).Exec(ctx)) // want "tokenmismatch"
	})
}

// Late assigns the epoch when the row is written already.
func Late(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.State = "full"
		if err := counted(db.NewUpdate().Model(k).WherePK().Where("epoch < ?", epoch).Exec(ctx)); err != nil { // want "tokenmismatch"
			return err
		}
		k.Epoch = epoch
		return nil
	})
}

// Sometimes stores the epoch on one way only.
func Sometimes(ctx context.Context, s *concurrency.Session, db *pg.DB, k *Vat, full bool) error {
	return held(ctx, s, func(epoch int64) error {
		if full {
			k.Epoch = epoch
		}
		r, err := db.Model(k).WherePK().Where("epoch < ?", epoch).Update() // want "tokenmismatch"
		if err != nil {
			return err
		}
		if r.RowsAffected() == 0 {
			return errStale
		}
		return nil
	})
}

// Unasked compares nothing.
func Unasked(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		var k Vat
		if err := db.First(&k, id).Error; err != nil {
			return err
		}
		k.Epoch = epoch
		return db.Save(&k).Error // want "tokennotcompared"
	})
}

func counted(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}
