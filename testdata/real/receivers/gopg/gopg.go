// Package gopg writes through go-pg, whose chains end in the verb.
package gopg

import (
	"context"
	"errors"

	"github.com/go-pg/pg/v10"
	"github.com/go-pg/pg/v10/orm"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Meter is a row with its fence.
type Meter struct {
	tableName struct{} `pg:"meters,alias:m"`

	ID    int64
	Value int64
	Epoch int64 `pg:",use_zero"`
}

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/meters")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Read stores named columns of a record under the condition.
func Read(ctx context.Context, s *concurrency.Session, db *pg.DB, id, value int64) error {
	return held(ctx, s, func(epoch int64) error {
		m := &Meter{ID: id, Value: value, Epoch: epoch}
		return changed(db.ModelContext(ctx, m).Column("value", "epoch").WherePK().Where("m.epoch < ?", epoch).Update())
	})
}

// Set writes the assignments itself.
func Set(ctx context.Context, s *concurrency.Session, db *pg.DB, id, value int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model((*Meter)(nil)).Set("value = ?", value).Set("epoch = ?", epoch).Where("id = ?", id).Where("?TableAlias.epoch < ?", epoch).Update())
	})
}

// Upsert compares where the row is there already.
func Upsert(ctx context.Context, s *concurrency.Session, db *pg.DB, id, value int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Meter{ID: id, Value: value, Epoch: epoch}).OnConflict("(id) DO UPDATE").
			Set("value = EXCLUDED.value, epoch = EXCLUDED.epoch").Where("m.epoch < EXCLUDED.epoch").Insert())
	})
}

// Text is formatted by the library.
func Text(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.ExecContext(ctx, `UPDATE meters SET epoch = ?1 WHERE id = ?0 AND epoch < ?1`, id, epoch))
	})
}

// Named binds a record.
func Named(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Exec(`UPDATE meters SET epoch = ?epoch WHERE id = ?id AND epoch < ?epoch`, &Meter{ID: id, Epoch: epoch}))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTransaction(ctx, func(tx *pg.Tx) error {
			if err := changed(tx.Model((*Fence)(nil)).Set("epoch = ?", epoch).Where("name = 'meters'").Where("epoch <= ?", epoch).Update()); err != nil {
				return err
			}
			_, err := tx.Model((*Dial)(nil)).Set("turned = true").Where("id = ?", id).Update()
			return err
		})
	})
}

// Fence is the row that the transaction takes first.
type Fence struct {
	Name  string
	Epoch int64
}

// Dial is a row without a fence.
type Dial struct {
	ID     int64
	Turned bool
	Epoch  int64
}

// Early has the condition before ON CONFLICT, where it is of no effect.
func Early(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Dial{ID: id, Epoch: epoch}).Where("dial.epoch < EXCLUDED.epoch").OnConflict("(id) DO UPDATE").Insert()) // want "tokennotcompared"
	})
}

// Or opens the condition.
func Or(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model((*Dial)(nil)).Set("epoch = ?", epoch).Where("epoch < ?", epoch).WhereOr("id = ?", id).Update()) // want "staleadmitted"
	})
}

// Group opens it inside of a group only.
func Group(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model((*Spare)(nil)).Set("epoch = ?", epoch).Where("epoch < ?", epoch).WhereGroup(func(q *orm.Query) (*orm.Query, error) {
			return q.Where("id = ?", id).WhereOr("id = 0"), nil
		}).Update())
	})
}

// Spare is a row with a fence.
type Spare struct{ ID, Epoch int64 }

// Whole stores a record without its epoch.
func Whole(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Valve{ID: id, Open: true}).WherePK().Where("epoch < ?", epoch).Update()) // want "tokenmismatch"
	})
}

// Valve is a row with a fence.
type Valve struct {
	ID    int64
	Open  bool
	Epoch int64
}

// Deaf does not look at the count.
func Deaf(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Model((*Deafened)(nil)).Set("epoch = ?", epoch).Where("id = ?", id).Where("epoch < ?", epoch).Update() // want "rejectionignored"
		return err
	})
}

// Deafened is a row with a fence.
type Deafened struct{ ID, Epoch int64 }

// KeyFirst has the key beside the conditions after it: an OR opens it, too.
func KeyFirst(ctx context.Context, s *concurrency.Session, db *pg.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.Model(&Sole{Epoch: epoch}).Set("value = 1").WherePK().WhereOr("value = 0").Update()) // want "staleadmitted"
	})
}

// Sole is a row that its epoch is the key of.
type Sole struct {
	Epoch int64 `pg:",pk"`
	Value int64
}

func changed(res pg.Result, err error) error {
	if err != nil {
		return err
	}
	if res.RowsAffected() == 0 {
		return errStale
	}
	return nil
}
