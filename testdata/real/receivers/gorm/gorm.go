// Package gorm writes through gorm, whose handles share a statement after the first step.
package gorm

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errStale = errors.New("a newer owner was there")

// Ticket is a row with its fence.
type Ticket struct {
	ID    int64
	Seat  string
	Epoch int64
}

// Pass is a row under a name of its own.
type Pass struct {
	ID    int64
	Seat  string
	Epoch int64
}

// TableName is where passes are kept.
func (Pass) TableName() string { return "season_passes" }

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/tickets")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Sell stores a map under the condition.
func Sell(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.WithContext(ctx).Model(&Ticket{}).Where("id = ? AND epoch < ?", id, epoch).Updates(map[string]any{"seat": "A1", "epoch": epoch}))
	})
}

// SellRecord stores a record that its caller has read.
func SellRecord(ctx context.Context, s *concurrency.Session, db *gorm.DB, t *Ticket) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(t).Where("epoch < ?", epoch).Updates(Ticket{Seat: "A1", Epoch: epoch}))
	})
}

// SellLater goes on with the chain in steps whose results are dropped.
func SellLater(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx := db.Model(&Ticket{}).Where("id = ?", id)
		tx.Where("epoch < ?", epoch)
		return changed(tx.Updates(map[string]any{"epoch": epoch}))
	})
}

// Named has the name of its table from a method.
func Named(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Pass{}).Where(clause.Eq{Column: "id", Value: id}).Where("epoch < ?", epoch).Update("epoch", epoch))
	})
}

// Fenced is a condition that statements share.
func Fenced(epoch int64) func(*gorm.DB) *gorm.DB {
	return func(tx *gorm.DB) *gorm.DB { return tx.Where("epoch < ?", epoch) }
}

// Scoped has it from there.
func Scoped(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Table("tickets").Scopes(Fenced(epoch)).Where("id = ?", id).Updates(map[string]any{"epoch": epoch}))
	})
}

// Upsert compares where the row is there already.
func Upsert(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns([]string{"seat", "epoch"}),
			Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "tickets.epoch < EXCLUDED.epoch"}}},
		}).Create(&Ticket{ID: id, Seat: "A1", Epoch: epoch}))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			if err := changed(tx.Table("fences").Where("name = ?", "tickets").Where("epoch <= ?", epoch).Update("epoch", epoch)); err != nil {
				return err
			}
			return tx.Table("rows").Where("id = ?", id).Update("full", true).Error
		})
	})
}

// Fresh drops the step on a handle that every step copies.
func Fresh(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx := db.WithContext(ctx)
		tx.Where("epoch < ?", epoch)
		return changed(tx.Table("fresh").Where("id = ?", id).Update("epoch", epoch)) // want "tokennotcompared"
	})
}

// Or opens the condition.
func Or(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Table("ors").Where("epoch < ?", epoch).Or("id = ?", id).Update("epoch", epoch)) // want "staleadmitted"
	})
}

// OrLater opens it by a step whose result is dropped.
func OrLater(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx := db.Table("ors").Where("epoch < ?", epoch)
		tx.Or("id = ?", id)
		return changed(tx.Update("epoch", epoch)) // want "staleadmitted"
	})
}

// Saved inserts over the newer row when the update is refused.
func Saved(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Where("epoch < ?", epoch).Save(&Ticket{ID: id, Seat: "A1", Epoch: epoch})) // want "staleadmitted"
	})
}

// Zero has a condition that falls away: the fields of a record that are zero.
func Zero(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Table("zeros").Where(&Ticket{ID: id, Epoch: 0}).Update("epoch", epoch)) // want "tokennotcompared"
	})
}

// Sets stores a record whose epoch is zero, and so leaves the fence where it is.
func Sets(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Ticket{ID: id}).Where("epoch < ?", epoch).Updates(Ticket{Seat: "A1"})) // want "fencenotadvanced"
	})
}

// Picks stores the columns that Select names.
func Picks(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Ticket{ID: id}).Select("seat").Where("epoch < ?", epoch).Updates(Ticket{Seat: "A1", Epoch: epoch})) // want "fencenotadvanced"
	})
}

// Omits leaves the epoch out.
func Omits(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Ticket{ID: id}).Omit("Epoch").Where("epoch < ?", epoch).Updates(Ticket{Seat: "A1", Epoch: epoch})) // want "fencenotadvanced"
	})
}

// Deaf does not look at the count.
func Deaf(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Table("deaf").Where("id = ? AND epoch < ?", id, epoch).Update("epoch", epoch).Error // want "rejectionignored"
	})
}

// Assigned updates whatever it finds.
func Assigned(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Where("epoch < ?", epoch).Assign(Ticket{Epoch: epoch}).FirstOrCreate(&Ticket{ID: id})) // want "unprovedwrite"
	})
}

// All overwrites what is there.
func All(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&Ticket{ID: id, Epoch: epoch})) // want "tokennotcompared"
	})
}

// Shared asks the handle that its steps share, which is the answer, too.
func Shared(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.WithContext(ctx).Model(&Ticket{}).Where("id = ? AND epoch < ?", id, epoch)
		if err := q.Updates(map[string]any{"seat": "A1", "epoch": epoch}).Error; err != nil {
			return err
		}
		if q.RowsAffected == 0 {
			return errStale
		}
		return nil
	})
}

// Apart asks the handle from which each step begins anew.
func Apart(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		db.Model(&Ticket{}).Where("id = ? AND epoch < ?", id, epoch).Update("epoch", epoch) // want "rejectionignored"
		return changed(db)
	})
}

// SharedNoMore asks a handle of which each step makes a copy.
func SharedNoMore(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.Model(&Ticket{}).Where("id = ? AND epoch < ?", id, epoch).Session(&gorm.Session{})
		q.Update("epoch", epoch) // want "rejectionignored"
		return changed(q)
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
