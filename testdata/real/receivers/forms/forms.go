// Package forms has ways of writing that readers of several libraries must all know.
package forms

import (
	"context"
	"database/sql"
	"errors"

	sq "github.com/Masterminds/squirrel"
	"github.com/doug-martin/goqu/v9"
	"github.com/jmoiron/sqlx"
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

// Vat is a row with its fence.
type Vat struct {
	ID    int64  `bun:"id,pk" db:"id"`
	State string `db:"state"`
	Epoch int64  `db:"epoch"`
}

// NamedRecord binds the fields of a record that it was handed.
func NamedRecord(ctx context.Context, s *concurrency.Session, db *sqlx.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NamedExecContext(ctx, `UPDATE n1 SET state = :state, epoch = :epoch WHERE id = :id AND epoch < :epoch`, k))
	})
}

// NamedMap binds a map, through a function.
func NamedMap(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sqlx.NamedExecContext(ctx, db, `UPDATE n2 SET epoch = :e WHERE id = :id AND epoch < :e`, map[string]any{"e": epoch, "id": id}))
	})
}

// Named takes text and arguments apart.
func Named(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q, args, err := sqlx.Named(`UPDATE n3 SET epoch = :e WHERE id = :id AND epoch < :e`, map[string]any{"e": epoch, "id": id})
		if err != nil {
			return err
		}
		return counted(db.ExecContext(ctx, db.Rebind(q), args...))
	})
}

// In spreads a list.
func In(ctx context.Context, s *concurrency.Session, db *sqlx.DB, ids []int64) error {
	return held(ctx, s, func(epoch int64) error {
		q, args, err := sqlx.In(`UPDATE n4 SET epoch = ? WHERE id IN (?) AND epoch < ?`, epoch, ids, epoch)
		if err != nil {
			return err
		}
		return counted(db.ExecContext(ctx, db.Rebind(q), args...))
	})
}

// NamedStatement prepares the statement.
func NamedStatement(ctx context.Context, s *concurrency.Session, db *sqlx.DB, k Vat) error {
	return held(ctx, s, func(epoch int64) error {
		st, err := db.PrepareNamedContext(ctx, `UPDATE n5 SET epoch = :epoch WHERE id = :id AND epoch < :epoch RETURNING id`)
		if err != nil {
			return err
		}
		defer st.Close()
		k.Epoch = epoch
		var id int64
		return st.GetContext(ctx, &id, k)
	})
}

// NamedLiteral binds a struct without a name.
func NamedLiteral(ctx context.Context, s *concurrency.Session, db *sqlx.DB, k Vat) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTxx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := counted(tx.NamedExecContext(ctx, `UPDATE n6 SET epoch = :epoch WHERE id = :id AND epoch < :epoch`, struct {
			ID    int64 `db:"id"`
			Epoch int64 `db:"epoch"`
		}{k.ID, epoch})); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// SetMap has both conditions in one.
func SetMap(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		psql := sq.StatementBuilder.PlaceholderFormat(sq.Dollar)
		return counted(psql.Update("s1").SetMap(map[string]any{"epoch": epoch}).Where(sq.And{sq.Eq{"id": id}, sq.Lt{"epoch": epoch}}).RunWith(db).ExecContext(ctx))
	})
}

// Taken takes the statement out of the builder.
func Taken(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q, args, err := sq.Update("s2").Set("epoch", epoch).Where("id = ?", id).Where(sq.Expr("epoch < ?", epoch)).PlaceholderFormat(sq.Dollar).ToSql()
		if err != nil {
			return err
		}
		return counted(db.ExecContext(ctx, q, args...))
	})
}

// Suffix writes the conflict as text.
func Suffix(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sq.Insert("s3").Columns("id", "epoch").Values(id, epoch).
			Suffix("ON CONFLICT (id) DO UPDATE SET epoch = EXCLUDED.epoch WHERE s3.epoch < EXCLUDED.epoch").PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx))
	})
}

// With hands the builder to a function, and admits rows without an epoch.
func With(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := sq.Update("s4").Set("epoch", epoch).Set("n", sq.Expr("n + 1")).Where(sq.Eq{"id": id}).Where(sq.Or{sq.Lt{"epoch": epoch}, sq.Eq{"epoch": nil}}).Prefix("/* s4 */")
		return counted(sq.ExecContextWith(ctx, db, q)) // want "nulladmitted"
	})
}

// Expr has a text among its conditions.
func Expr(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sq.Update("s5").Set("epoch", epoch).Where(sq.And{sq.Eq{"id": id}, sq.Expr("epoch < ?", epoch), sq.NotEq{"state": "done"}}).RunWith(db).Exec())
	})
}

// Op compares by an operator in a map.
func Op(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(db.Update("g1").Set(goqu.Record{"epoch": epoch}).Where(goqu.Ex{"id": id, "epoch": goqu.Op{"lt": epoch}}).Executor().ExecContext(ctx))
	})
}

// Dialect takes the statement out of a dataset.
func Dialect(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q, args, err := goqu.Dialect("postgres").Update("g2").Prepared(true).Set(goqu.Record{"epoch": epoch}).Where(goqu.I("id").Eq(id), goqu.I("epoch").Lt(epoch)).ToSQL()
		if err != nil {
			return err
		}
		return counted(db.ExecContext(ctx, q, args...))
	})
}

// Junction joins its conditions.
func Junction(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(db.Update(goqu.T("g3")).Set(map[string]any{"epoch": epoch}).Where(goqu.And(goqu.C("id").Eq(id), goqu.C("epoch").Lt(epoch))).Executor().Exec())
	})
}

// Turn makes an update of a query.
func Turn(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(db.From("g4").Where(goqu.C("id").Eq(id), goqu.C("epoch").Lt(epoch)).Update().Set(goqu.Record{"epoch": epoch}).Executor().Exec())
	})
}

// Ident names the column by an argument.
func Ident(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NewUpdate().Model(k).Column("epoch").WherePK().Where("? < ?", bun.Ident("epoch"), epoch).Exec(ctx))
	})
}

// Conflict compares in a conflict.
func Conflict(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NewInsert().Model(k).On("CONFLICT (id) DO UPDATE").Set("epoch = EXCLUDED.epoch").Where("vat.epoch < EXCLUDED.epoch").Exec(ctx))
	})
}

// InTx leaves out what is zero.
func InTx(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k.Epoch = epoch
			return counted(tx.NewUpdate().Model(k).OmitZero().WherePK("id").Where("epoch < ?", epoch).Exec(ctx))
		})
	})
}

// Clauses has expressions as conditions.
func Clauses(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return rows(db.WithContext(ctx).Model(&Vat{}).Where(clause.Eq{Column: "id", Value: id}, clause.Lt{Column: "epoch", Value: epoch}).Updates(map[string]any{"epoch": epoch}))
	})
}

// ClauseWhere has them in a clause.
func ClauseWhere(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return rows(db.Model(&Vat{ID: id}).Clauses(clause.Where{Exprs: []clause.Expression{clause.Lt{Column: "epoch", Value: epoch}}}).Update("epoch", epoch))
	})
}

// ClauseConflict compares in a conflict.
func ClauseConflict(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return rows(db.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns([]string{"state", "epoch"}),
			Where:     clause.Where{Exprs: []clause.Expression{gorm.Expr("vats.epoch < EXCLUDED.epoch")}},
		}).Create(&Vat{ID: id, Epoch: epoch}))
	})
}

// ClauseOr admits rows without an epoch.
func ClauseOr(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return rows(db.Model(&Vat{}).Where("id = ?", id).Where(clause.Or(clause.Lt{Column: "epoch", Value: epoch}, clause.Eq{Column: "epoch", Value: nil})).Update("epoch", epoch)) // want "nulladmitted"
	})
}

// LockedGorm locks the row and compares in Go.
func LockedGorm(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Vat
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			k.State = "x"
			return tx.Save(&k).Error
		})
	})
}

// Generic uses the generic interface.
func Generic(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		n, err := gorm.G[Vat](db).Where("id = ? AND epoch < ?", id, epoch).Updates(ctx, Vat{State: "x", Epoch: epoch})
		if err != nil {
			return err
		}
		if n == 0 {
			return errStale
		}
		return nil
	})
}

// Value stores an expression in place of a field.
func Value(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NewUpdate().Model(k).Value("state", "upper(?)", "full").WherePK().Where("epoch < ?", epoch).Exec(ctx))
	})
}

// ValueLost stores another number in place of the epoch.
func ValueLost(ctx context.Context, s *concurrency.Session, db *bun.DB, k *Vat) error {
	return held(ctx, s, func(epoch int64) error {
		k.Epoch = epoch
		return counted(db.NewUpdate().Model(k).Value("epoch", "0").WherePK().Where("epoch < ?", epoch).Exec(ctx)) // want "fencenotadvanced"
	})
}

// LockedBun locks the row and compares in Go.
func LockedBun(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Vat)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE").Scan(ctx); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			_, err := tx.NewUpdate().Model(k).WherePK().Exec(ctx)
			return err
		})
	})
}

// OnlyOr is joined by OR to what stands before it.
func OnlyOr(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return rows(db.Model(&Vat{}).Where("epoch < ?", epoch).Where(clause.Or(clause.Eq{Column: "id", Value: id})).Update("epoch", epoch)) // want "staleadmitted"
	})
}

// Unlocked compares a row that anybody may change meanwhile.
func Unlocked(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Vat
			if err := tx.First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			return tx.Save(&k).Error // want "checkthenact"
		})
	})
}

// Elsewhere locks in another transaction than it writes in.
func Elsewhere(ctx context.Context, s *concurrency.Session, db *gorm.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.Transaction(func(tx *gorm.DB) error {
			var k Vat
			if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).First(&k, id).Error; err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			return db.Save(&k).Error // want "checkthenact"
		})
	})
}

// Backwards lets the older one through.
func Backwards(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Vat)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).For("UPDATE").Scan(ctx); err != nil {
				return err
			}
			if k.Epoch < epoch {
				return errStale
			}
			k.Epoch = epoch
			_, err := tx.NewUpdate().Model(k).WherePK().Exec(ctx) // want "checkthenact"
			return err
		})
	})
}

// Unasked takes no lock on the row.
func Unasked(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			k := new(Vat)
			if err := tx.NewSelect().Model(k).Where("id = ?", id).Scan(ctx); err != nil {
				return err
			}
			if k.Epoch > epoch {
				return errStale
			}
			k.Epoch = epoch
			_, err := tx.NewUpdate().Model(k).WherePK().Exec(ctx) // want "checkthenact"
			return err
		})
	})
}

// LockedXorm locks the row and compares in Go.
func LockedXorm(ctx context.Context, s *concurrency.Session, db *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		sess := db.NewSession()
		defer sess.Close()
		if err := sess.Begin(); err != nil {
			return err
		}
		var k Vat
		if _, err := sess.ID(id).ForUpdate().Get(&k); err != nil {
			return err
		}
		if k.Epoch > epoch {
			return errStale
		}
		k.Epoch = epoch
		if _, err := sess.ID(id).Cols("epoch").Update(&k); err != nil {
			return err
		}
		return sess.Commit()
	})
}

// LockedSqlx locks the row and compares in Go.
func LockedSqlx(ctx context.Context, s *concurrency.Session, db *sqlx.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTxx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		var k Vat
		if err := tx.GetContext(ctx, &k, `SELECT id, state, epoch FROM lockedvats WHERE id = $1 FOR UPDATE`, id); err != nil {
			return err
		}
		if k.Epoch > epoch {
			return errStale
		}
		k.Epoch = epoch
		if _, err := tx.NamedExecContext(ctx, `UPDATE lockedvats SET state = :state, epoch = :epoch WHERE id = :id`, &k); err != nil {
			return err
		}
		return tx.Commit()
	})
}

func rows(r *gorm.DB) error {
	if r.Error != nil {
		return r.Error
	}
	if r.RowsAffected == 0 {
		return errStale
	}
	return nil
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
