package gormstore

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

// GoodColumns names a further column only sometimes.
func GoodColumns(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, guest string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	row := Seat{Guest: guest, LastFence: m.Header().Revision}
	cols := []string{"last_fence"}
	if guest != "" {
		cols = append(cols, "guest")
	}
	return done(db.WithContext(ctx).Model(&Seat{}).Select(cols).Where("id = ? AND last_fence < ?", id, row.LastFence).Updates(row))
}

// Bench is a row whose fence is not always stored.
type Bench struct {
	ID        int64
	Guest     string
	LastFence int64
}

// BadColumns names the fence only sometimes.
func BadColumns(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64, guest string, keep bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	row := Bench{Guest: guest, LastFence: m.Header().Revision}
	cols := []string{"guest"}
	if !keep {
		cols = append(cols, "last_fence")
	}
	return done(db.WithContext(ctx).Model(&Bench{}).Select(cols).Where("id = ? AND last_fence < ?", id, row.LastFence).Updates(row)) // want "unprovedwrite|fencenotadvanced|tokenmismatch"
}
