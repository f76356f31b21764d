// Package rows reads a record as a whole, and compares its version in the write.
package rows

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-pg/pg/v10"
	"github.com/jmoiron/sqlx"
	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"xorm.io/xorm"
)

var errStale = errors.New("someone else has changed the sheet")

// Sheet is what is read and written.
type Sheet struct {
	ID      int64
	Body    string
	Version int64
}

//fencelint:lock correctness contract=cas
func held(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/sheets")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

func changed(n int64, err error) error {
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

func result(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	return changed(res.RowsAffected())
}

// Gorm reads by First.
func Gorm(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func() error {
		var x Sheet
		if err := db.First(&x, 7).Error; err != nil {
			return err
		}
		res := db.Model(&Sheet{}).Where("id = ? AND version = ?", x.ID, x.Version).
			Updates(map[string]any{"body": x.Body + ".", "version": x.Version + 1})
		return changed(res.RowsAffected, res.Error)
	})
}

// Unread has read nothing.
func Unread(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func() error {
		x := Sheet{Body: "new"}
		res := db.Model(&Sheet{}).Where("id = ? AND version = ?", 7, x.Version). // want "unfencedwrite"
												Updates(map[string]any{"body": x.Body, "version": x.Version + 1})
		return changed(res.RowsAffected, res.Error)
	})
}

func take(ctx context.Context, db *gorm.DB) (*Sheet, error) {
	x := &Sheet{}
	if err := db.WithContext(ctx).Where("id = ?", 7).Take(x).Error; err != nil {
		return nil, err
	}
	return x, nil
}

// Taken has another function read.
func Taken(ctx context.Context, s *concurrency.Session, db *gorm.DB) error {
	return held(ctx, s, func() error {
		x, err := take(ctx, db)
		if err != nil {
			return err
		}
		x.Body += "."
		res := db.Model(&Sheet{}).Where("id = ? AND version = ?", 7, x.Version).
			Updates(map[string]any{"body": x.Body, "version": gorm.Expr("version + 1")})
		return changed(res.RowsAffected, res.Error)
	})
}

// Sqlx reads by GetContext.
func Sqlx(ctx context.Context, s *concurrency.Session, db *sqlx.DB) error {
	return held(ctx, s, func() error {
		var x Sheet
		if err := db.GetContext(ctx, &x, "SELECT * FROM sheets WHERE id = 7"); err != nil {
			return err
		}
		return result(db.ExecContext(ctx, "UPDATE sheets SET body = $1, version = $2 WHERE id = 7 AND version = $3", x.Body+".", x.Version+1, x.Version))
	})
}

// Bun reads into its model.
func Bun(ctx context.Context, s *concurrency.Session, db *bun.DB) error {
	return held(ctx, s, func() error {
		var x Sheet
		if err := db.NewSelect().Model(&x).Where("id = 7").Scan(ctx); err != nil {
			return err
		}
		return result(db.NewUpdate().Model((*Sheet)(nil)).Set("body = ?", x.Body).Set("version = version + 1").
			Where("id = 7").Where("version = ?", x.Version).Exec(ctx))
	})
}

// GoPG reads into its model, by Select.
func GoPG(ctx context.Context, s *concurrency.Session, db *pg.DB) error {
	return held(ctx, s, func() error {
		var x Sheet
		if err := db.Model(&x).Where("id = 7").Select(); err != nil {
			return err
		}
		res, err := db.Model((*Sheet)(nil)).Set("body = ?", x.Body).Set("version = version + 1").
			Where("id = 7").Where("version = ?", x.Version).Update()
		if err != nil {
			return err
		}
		return changed(int64(res.RowsAffected()), nil)
	})
}

// Xorm reads by Get.
func Xorm(ctx context.Context, s *concurrency.Session, db *xorm.Engine) error {
	return held(ctx, s, func() error {
		var x Sheet
		if has, err := db.ID(7).Get(&x); err != nil || !has {
			return errors.Join(errStale, err)
		}
		return changed(db.Where("id = 7 AND version = ?", x.Version).Incr("version").Update(&Sheet{Body: x.Body + "."}))
	})
}
