// Package sqlboiler writes by generated models, whose records know their primary key only.
package sqlboiler

import (
	"context"
	"database/sql"
	"errors"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/receivers/sqlboiler/models"
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

// Fill compares, and counts the rows.
func Fill(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(models.Kegs(qm.Where("id = ?", id), qm.And("last_epoch < ?", epoch)).UpdateAll(ctx, db, models.M{"state": "full", "last_epoch": epoch}))
	})
}

// Helped compares by the helpers of the columns.
func Helped(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		n, err := models.Kegs(models.KegWhere.ID.EQ(id), models.KegWhere.LastEpoch.LT(epoch)).UpdateAll(ctx, db, models.M{
			models.KegColumns.State:     "full",
			models.KegColumns.LastEpoch: epoch,
		})
		return counted(n, err)
	})
}

// Grouped has an OR within parentheses.
func Grouped(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		mods := []qm.QueryMod{
			qm.Where("id = ?", id),
			qm.Expr(qm.Where("state = ?", "new"), qm.Or("state = ?", "open")),
			qm.Where("last_epoch < ?", epoch),
		}
		return counted(models.Kegs(mods...).UpdateAll(ctx, db, models.M{"state": "full", "last_epoch": epoch}))
	})
}

// Written writes the whole statement.
func Written(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		res, err := queries.Raw(`UPDATE written SET last_epoch = $2 WHERE id = $1 AND last_epoch < $2`, id, epoch).ExecContext(ctx, db)
		if err != nil {
			return err
		}
		return counted(res.RowsAffected())
	})
}

// Unheard has the same statement and does not count.
func Unheard(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := queries.Raw(`UPDATE unheard SET last_epoch = $2 WHERE id = $1 AND last_epoch < $2`, id, epoch).ExecContext(ctx, db) // want "rejectionignored"
		return err
	})
}

// Open has an OR that opens what stands before it.
func Open(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(models.Kegs(qm.Where("id = ?", id), qm.Where("last_epoch < ?", epoch), qm.Or("state = ?", "new")). // want "staleadmitted"
																	UpdateAll(ctx, db, models.M{"state": "full", "last_epoch": epoch}))
	})
}

// Bare groups elsewhere, so that the texts stand without parentheses.
func Bare(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(models.Kegs( // want "staleadmitted"
			qm.Expr(qm.Where("id = ?", id)), qm.Where("last_epoch < ?", epoch), qm.Where("state = 'new' OR state = 'open'"),
		).UpdateAll(ctx, db, models.M{"state": "full", "last_epoch": epoch}))
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(models.Kegs(models.KegWhere.ID.EQ(id), models.KegWhere.LastEpoch.GT(epoch)).UpdateAll(ctx, db, models.M{"last_epoch": epoch})) // want "staleadmitted"
	})
}

// Still compares and stores nothing newer.
func Still(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(models.Kegs(qm.Where("last_epoch < ?", epoch)).UpdateAll(ctx, db, models.M{"state": "full"})) // want "fencenotadvanced"
	})
}

// Record has no condition beside the key.
func Record(ctx context.Context, s *concurrency.Session, db *sql.DB, k *models.Keg) error {
	return held(ctx, s, func(epoch int64) error {
		k.LastEpoch = epoch
		return counted(k.Update(ctx, db, boil.Infer())) // want "tokennotcompared"
	})
}

// Global does so through the global executor.
func Global(ctx context.Context, s *concurrency.Session, k *models.Keg) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(k.UpdateG(ctx, boil.Whitelist("state"))) // want "unfencedwrite"
	})
}

// Upsert overwrites what is there.
func Upsert(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		k := &models.Keg{ID: id, LastEpoch: epoch}
		return k.Upsert(ctx, db, true, []string{"id"}, boil.Infer(), boil.Infer()) // want "tokennotcompared"
	})
}

// Optional says by a text what is updated.
func Optional(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		k := &models.Keg{ID: id, LastEpoch: epoch}
		return k.Upsert(ctx, db, true, []string{"id"}, boil.Infer(), boil.Infer(), models.UpsertUpdateSet("state = 'full'")) // want "unprovedwrite"
	})
}

// Once leaves what is there.
func Once(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		k := &models.Keg{ID: id, LastEpoch: epoch}
		return k.Upsert(ctx, db, false, []string{"id"}, boil.None(), boil.Infer())
	})
}

// Together writes a record behind a guard of the same transaction.
func Together(ctx context.Context, s *concurrency.Session, db *sql.DB, k *models.Keg) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := counted(models.Kegs(qm.Where("id = ?", k.ID), qm.Where("last_epoch <= ?", epoch)).UpdateAll(ctx, tx, models.M{"last_epoch": epoch})); err != nil {
			return err
		}
		k.State = "full"
		if _, err := k.Update(ctx, tx, boil.Whitelist("state")); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Locked locks the row and compares in Go.
func Locked(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		k, err := models.Kegs(qm.Where("id = ?", id), qm.For("UPDATE")).One(ctx, tx)
		if err != nil {
			return err
		}
		if k.LastEpoch > epoch {
			return errStale
		}
		k.State, k.LastEpoch = "full", epoch
		if _, err := k.Update(ctx, tx, boil.Infer()); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// Read takes no lock.
func Read(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		k, err := models.Kegs(qm.Where("id = ?", id)).One(ctx, tx)
		if err != nil {
			return err
		}
		if k.LastEpoch > epoch {
			return errStale
		}
		k.State, k.LastEpoch = "full", epoch
		if _, err := k.Update(ctx, tx, boil.Infer()); err != nil { // want "checkthenact"
			return err
		}
		return tx.Commit()
	})
}

// Apart writes the record outside of the transaction with the guard.
func Apart(ctx context.Context, s *concurrency.Session, db *sql.DB, k *models.Keg) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := counted(models.Kegs(qm.Where("id = ?", k.ID), qm.Where("last_epoch <= ?", epoch)).UpdateAll(ctx, tx, models.M{"last_epoch": epoch})); err != nil {
			return err
		}
		if _, err := k.Update(ctx, db, boil.Whitelist("state")); err != nil { // want "unfencedwrite"
			return err
		}
		return tx.Commit()
	})
}

func counted(n int64, err error) error {
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}
