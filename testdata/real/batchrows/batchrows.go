// Package batchrows stores lists of records in one statement: where they go, and what is
// compared, is told by their type and by the records.
package batchrows

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errStale = errors.New("somebody else harvests")

// Crate is a row under a name that its pointer knows.
type Crate struct {
	ID    int64
	Fruit string
	Epoch int64
}

// TableName is where crates are kept.
func (c *Crate) TableName() string { return "stacked_crates" }

//fencelint:lock correctness
func harvest(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	m := concurrency.NewMutex(s, "/orchard")
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return do(m.Header().Revision)
}

func changed(res *gorm.DB) error {
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

var newer = clause.OnConflict{
	Columns:   []clause.Column{{Name: "id"}},
	DoUpdates: clause.AssignmentColumns([]string{"fruit", "epoch"}),
	Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "stacked_crates.epoch < EXCLUDED.epoch"}}},
}

func compared(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return harvest(ctx, s, func(epoch int64) error {
		return changed(db.Clauses(newer).Create([]Crate{{ID: 1, Fruit: "pear", Epoch: epoch}, {ID: 2, Fruit: "plum", Epoch: epoch}}))
	})
}

func withoutEpoch(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return harvest(ctx, s, func(epoch int64) error {
		return changed(db.Clauses(newer).Create([]*Crate{{ID: 1, Fruit: "pear", Epoch: epoch}, {ID: 2, Fruit: "plum"}})) // want "zerotoken"
	})
}

func stacked(ctx context.Context, s *concurrency.Session, db *gorm.DB, crates []Crate) error {
	return harvest(ctx, s, func(int64) error {
		return db.Save(crates).Error // want "unfencedwrite"
	})
}

func added(ctx context.Context, s *concurrency.Session, db *gorm.DB, crates []*Crate) error {
	return harvest(ctx, s, func(int64) error {
		return db.Create(&crates).Error // want "unfencedwrite"
	})
}
