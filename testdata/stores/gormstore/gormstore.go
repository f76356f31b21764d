// Package gormstore writes rows through GORM.
package gormstore

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errStale = errors.New("stale owner")

// Stub is a row that nobody guards.
type Stub struct{ ID int64 }

type Seat struct {
	ID        int64
	Guest     string
	LastFence int64
}

func done(tx *gorm.DB) error {
	if tx.Error != nil {
		return tx.Error
	}
	if tx.RowsAffected == 0 {
		return errStale
	}
	return nil
}

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func GoodHelper(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.WithContext(ctx).Model(&Seat{ID: id}).Where("last_fence < ?", f).Updates(Seat{Guest: g, LastFence: f}))
}

func BadNoWhere(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Model(&Seat{ID: id}).Updates(map[string]any{"guest": g, "last_fence": f})) // want "tokennotcompared"
}

func BadUnfenced(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.Model(&Seat{}).Where("id = ?", id).Update("guest", g)) // want "unfencedwrite"
}

func BadSave(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Where("last_fence < ?", f).Save(&Seat{ID: id, Guest: g, LastFence: f})) // want "staleadmitted"
}

func BadInclusive(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Table("seats").Where("id = ? AND last_fence <= ?", id, f).Updates(map[string]any{"guest": g, "last_fence": f})) // want "equaladmitted"
}

func GoodUpsert(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"guest", "last_fence"}),
		Where: clause.Where{Exprs: []clause.Expression{
			clause.Lt{Column: clause.Column{Table: "seats", Name: "last_fence"}, Value: f},
		}},
	}).Create(&Seat{ID: id, Guest: g, LastFence: f}))
}

func BadUpsertAll(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Clauses(clause.OnConflict{UpdateAll: true}).Create(&Seat{ID: id, Guest: g, LastFence: f})) // want "tokennotcompared"
}

func BadIgnored(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return db.Model(&Seat{}).Where("id = ?", id).Where("last_fence < ?", f).Updates(map[string]any{"guest": g, "last_fence": f}).Error // want "rejectionignored"
}

func BadNotAdvanced(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Model(&Seat{}).Where("id = ? AND last_fence < ?", id, f).Update("guest", g)) // want "fencenotadvanced"
}

func GoodGroup(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(db.Model(&Seat{}).Where("id = ?", id).Where(db.Where("guest = ?", "").Or("guest = ?", g)).Where("last_fence < ?", f).
		Updates(map[string]any{"guest": g, "last_fence": f}))
}

func GoodTx(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return db.Transaction(func(tx *gorm.DB) error {
		return done(tx.Model(&Seat{}).Where("id = ? AND last_fence < ?", id, f).Updates(map[string]any{"guest": gorm.Expr("? || guest", g), "last_fence": f}))
	})
}

func BadDelete(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return done(db.Delete(&Stub{}, id)) // want "unfencedwrite"
}

func GoodStatementCount(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	q := db.Model(&Seat{}).Where("id = ? AND last_fence < ?", id, f).Updates(map[string]any{"guest": g, "last_fence": f})
	if q.Statement.Error != nil {
		return q.Statement.Error
	}
	if q.Statement.RowsAffected == 0 {
		return errStale
	}
	return nil
}

func BadStatementCount(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, g string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	q := db.Model(&Seat{}).Where("id = ? AND last_fence < ?", id, f).Updates(map[string]any{"guest": g, "last_fence": f}) // want "rejectionignored"
	return q.Statement.Error
}
