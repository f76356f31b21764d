package gorm

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
)

func moved(res *gorm.DB) error {
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

// GoodWhereFirst has its key beside the guard.
func GoodWhereFirst(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return moved(db.WithContext(ctx).Model(&Ticket{ID: 1}).Where("epoch < ?", epoch).Updates(map[string]any{"seat": "3a", "epoch": epoch}))
	})
}

// GoodOrAlone has nothing to which it could be an alternative.
func GoodOrAlone(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return moved(db.WithContext(ctx).Model(&Ticket{}).Or("epoch < ?", epoch).Updates(map[string]any{"seat": "3b", "epoch": epoch}))
	})
}

// BadOrFirst is written as the key or the guard.
func BadOrFirst(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return moved(db.WithContext(ctx).Model(&Ticket{ID: 1}).Or("epoch < ?", epoch).Updates(map[string]any{"seat": "3c", "epoch": epoch})) // want "staleadmitted"
	})
}

// BadOrOfSome has the key of a record that it is given.
func BadOrOfSome(ctx context.Context, s *concurrency.Session, db *gorm.DB, t *Ticket) error {
	return held(ctx, s, func(epoch int64) error {
		return moved(db.WithContext(ctx).Model(t).Or("epoch < ?", epoch).Updates(map[string]any{"seat": "3d", "epoch": epoch})) // want "staleadmitted"
	})
}

// GoodLines has its alternatives between blanks: gorm writes parentheses around them.
func GoodLines(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func(epoch int64) error {
		return moved(db.WithContext(ctx).Model(&Ticket{}).Where(`seat = '1a' OR seat = '1b'
			OR seat = '1c'`).Where("epoch < ?", epoch).Updates(map[string]any{"seat": "3e", "epoch": epoch}))
	})
}

// BadLines has one at the beginning of a line: gorm does not see it.
func BadLines(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func(epoch int64) error {
		some := db.WithContext(ctx).Model(&Ticket{}).Where(`seat = '1a'
			OR seat = '1b'`)
		return moved(some.Where("epoch < ?", epoch).Updates(map[string]any{"seat": "3f", "epoch": epoch})) // want "staleadmitted"
	})
}
