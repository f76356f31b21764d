// Package lasting has fields that gorm stores once, and does not update.
package lasting

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

var errStale = errors.New("a newer owner was there")

// Mast and Sail are rows.
type (
	Mast struct {
		ID    int64
		Maker string `gorm:"<-:create"`
		Set   bool
		Epoch int64
	}
	Sail struct {
		ID    int64
		Set   bool
		Epoch int64 `gorm:"<-:create"`
	}
)

// Moves stores the epoch.
func Moves(ctx context.Context, m *concurrency.Mutex, g *gorm.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return changed(g.WithContext(ctx).Model(&Mast{}).Where("id = ? AND epoch < ?", id, epoch).Updates(Mast{Set: true, Epoch: epoch}))
}

// Stays leaves it as it was when the row was made.
func Stays(ctx context.Context, m *concurrency.Mutex, g *gorm.DB, id int64) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return changed(g.WithContext(ctx).Model(&Sail{}).Where("id = ? AND epoch < ?", id, epoch).Updates(Sail{Set: true, Epoch: epoch})) // want "fencenotadvanced"
}

func changed(res *gorm.DB) error {
	if res.Error == nil && res.RowsAffected == 0 {
		return errStale
	}
	return res.Error
}
