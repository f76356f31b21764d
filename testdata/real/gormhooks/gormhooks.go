// Package gormhooks has records whose hooks write, too.
package gormhooks

import (
	"context"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/berths")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Berth tells a log of each change.
type Berth struct {
	ID, Epoch int64
	Ship      string
}

// Entry is a row of that log.
type Entry struct {
	ID   int64
	Text string
}

// AfterUpdate runs whether a row was met or not.
func (b *Berth) AfterUpdate(tx *gorm.DB) error {
	return tx.Model(&Entry{}).Where("id = ?", 1).Update("text", b.Ship).Error
}

// Moor compares the epoch, but its hook does not.
func Moor(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		res := db.Model(&Berth{}).Where("id = ? AND epoch < ?", id, epoch).Updates(map[string]any{"epoch": epoch, "ship": ship}) // want "unfencedwrite"
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// MoorQuietly runs no hook.
func MoorQuietly(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		res := db.Model(&Berth{}).Where("id = ? AND epoch < ?", id, epoch).UpdateColumns(map[string]any{"epoch": epoch, "ship": ship})
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// Quay stamps itself.
type Quay struct {
	ID, Epoch int64
	Ship      string
	Changed   time.Time
}

// BeforeUpdate writes nothing by itself.
func (q *Quay) BeforeUpdate(*gorm.DB) error {
	q.Changed = time.Now()
	return nil
}

// Dock has a hook that only fills the record.
func Dock(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		res := db.Model(&Quay{}).Where("id = ? AND epoch < ?", id, epoch).Updates(map[string]any{"epoch": epoch, "ship": ship})
		if res.Error != nil {
			return res.Error
		}
		if res.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// Pier keeps its own fence.
type Pier struct {
	ID, Epoch int64
	Ship      string
}

// PierFence is the fence of a pier.
type PierFence struct {
	ID, Epoch int64
}

// BeforeSave stops what is obsolete, in the transaction of the write.
func (p *Pier) BeforeSave(tx *gorm.DB) error {
	res := tx.Model(&PierFence{}).Where("id = ? AND epoch < ?", p.ID, p.Epoch).Update("epoch", p.Epoch)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

// Land is guarded by the hook of its record.
func Land(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			return tx.Create(&Pier{ID: id, Epoch: epoch, Ship: ship}).Error
		})
	})
}

// Jetty keeps its own fence, too.
type Jetty struct {
	ID, Epoch int64
	Ship      string
}

// BeforeSave does not look at what it changed.
func (p *Jetty) BeforeSave(tx *gorm.DB) error {
	return tx.Model(&PierFence{}).Where("id = ? AND epoch < ?", p.ID, p.Epoch).Update("epoch", p.Epoch).Error
}

// Leave is not guarded by the hook of its record.
func Leave(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			return tx.Create(&Jetty{ID: id, Epoch: epoch, Ship: ship}).Error // want "rejectionignored" "tokennotcompared"
		})
	})
}
