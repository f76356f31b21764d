// Package bun writes through a query builder that keeps what is called on it.
package bun

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Berth is a row with its fence.
type Berth struct {
	bun.BaseModel `bun:"table:berths,alias:b"`

	ID    int64  `bun:"id,pk"`
	Ship  string `bun:"ship"`
	Epoch int64  `bun:"epoch"`
}

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/berths")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Moor compares and stores the epoch in one update.
func Moor(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Model((*Berth)(nil)).
			Set("ship = ?", ship).Set("epoch = ?", epoch).
			Where("id = ?", id).Where("epoch < ?", epoch).Exec(ctx))
	})
}

// MoorRecord stores named columns of a record.
func MoorRecord(ctx context.Context, s *concurrency.Session, db bun.IDB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		b := &Berth{ID: id, Ship: ship, Epoch: epoch}
		return changed(db.NewUpdate().Model(b).Column("ship", "epoch").WherePK().Where("?TableAlias.epoch < ?", epoch).Exec(ctx))
	})
}

// MoorWhole stores all columns of a record.
func MoorWhole(ctx context.Context, s *concurrency.Session, db bun.IDB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		b := Berth{ID: id, Ship: ship, Epoch: epoch}
		return changed(db.NewUpdate().Model(&b).WherePK().Where("b.epoch < ?", epoch).Exec(ctx))
	})
}

// Later adds the condition after the chain was begun.
func Later(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, note bool) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.NewUpdate().Table("berths").Set("epoch = ?", epoch).Where("id = ?", id)
		if note {
			q.Set("ship = 'unknown'")
		}
		q.Where("epoch < ?", epoch)
		return changed(q.Exec(ctx))
	})
}

// Upsert compares where the row is there already, and Drop takes the row away.
func Upsert(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.NewInsert().Model(&Berth{ID: id, Ship: ship, Epoch: epoch}).
			On("CONFLICT (id) DO UPDATE").
			Set("ship = EXCLUDED.ship").Set("epoch = EXCLUDED.epoch").
			Where("b.epoch < EXCLUDED.epoch")
		return changed(q.Exec(ctx)) // want "nulladmitted"
	})
}

// Drop deletes under the condition.
func Drop(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewDelete().Model((*Berth)(nil)).Where("id = ?", id).Where("epoch < ?", epoch).Exec(ctx))
	})
}

// Ordered says the same in a text of its own.
func Ordered(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewRaw("UPDATE berths SET epoch = ?0 WHERE id = ?1 AND epoch < ?0", epoch, id).Exec(ctx))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if err := changed(tx.NewUpdate().Table("fences").Set("epoch = ?", epoch).Where("name = 'berths'").Where("epoch <= ?", epoch).Exec(ctx)); err != nil {
				return err
			}
			_, err := tx.NewUpdate().Table("quays").Set("full = true").Where("id = ?", id).Exec(ctx)
			return err
		})
	})
}

// Bare has no condition on the epoch.
func Bare(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("bare").Set("ship = ?", ship).Where("id = ?", id).Exec(ctx)) // want "unfencedwrite"
	})
}

// Either opens the condition again.
func Either(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("either").Set("epoch = ?", epoch).Where("epoch < ?", epoch).WhereOr("id = ?", id).Exec(ctx)) // want "staleadmitted"
	})
}

// EitherLater does so by a step whose result is dropped.
func EitherLater(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.NewUpdate().Table("either").Set("epoch = ?", epoch).Where("epoch < ?", epoch)
		q.WhereOr("id = ?", id)
		return changed(q.Exec(ctx)) // want "staleadmitted"
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("turned").Set("epoch = ?", epoch).Where("id = ?", id).Where("epoch > ?", epoch).Exec(ctx)) // want "staleadmitted"
	})
}

// Sometimes compares on one way only.
func Sometimes(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, careful bool) error {
	return held(ctx, s, func(epoch int64) error {
		q := db.NewUpdate().Table("sometimes").Set("epoch = ?", epoch).Where("id = ?", id)
		if careful {
			q = q.Where("epoch < ?", epoch)
		}
		return changed(q.Exec(ctx)) // want "tokennotcompared"
	})
}

// Forgets leaves out the columns that hold the fence.
func Forgets(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		b := &Slip{ID: id, Ship: ship, Epoch: epoch}
		return changed(db.NewUpdate().Model(b).Column("ship").WherePK().Where("epoch < ?", epoch).Exec(ctx)) // want "fencenotadvanced"
	})
}

// Slip is a row under the name that is made of its type.
type Slip struct {
	ID    int64 `bun:",pk"`
	Ship  string
	Epoch int64
}

// Overwrites has an upsert without a condition.
func Overwrites(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, ship string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.NewInsert().Model(&Slip{ID: id, Ship: ship, Epoch: epoch}).On("CONFLICT (id) DO UPDATE").Exec(ctx) // want "tokennotcompared"
		return err
	})
}

// Deaf does not look at the count.
func Deaf(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.NewUpdate().Table("deaf").Set("epoch = ?", epoch).Where("id = ?", id).Where("epoch < ?", epoch).Exec(ctx) // want "rejectionignored"
		return err
	})
}

// Applied has a condition that is not in sight.
func Applied(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64, cond func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("applied").Set("epoch = ?", epoch).Where("id = ?", id).Apply(cond).Exec(ctx)) // want "unprovedwrite"
	})
}

// Fenced is a condition that statements share.
func Fenced(epoch int64) func(*bun.UpdateQuery) *bun.UpdateQuery {
	return func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Where("epoch < ?", epoch) }
}

// Shared has it from there.
func Shared(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("shared").Set("epoch = ?", epoch).Where("id = ?", id).Apply(Fenced(epoch)).Exec(ctx))
	})
}

// Handed is given a chain and adds to it.
func Handed(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return run(ctx, db.NewUpdate().Table("handed").Set("epoch = ?", epoch).Where("id = ?", id), epoch)
	})
}

func run(ctx context.Context, q *bun.UpdateQuery, epoch int64) error {
	q.Where("epoch < ?", epoch)
	return changed(q.Exec(ctx))
}

// Grouped has its conditions in a function.
func Grouped(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(db.NewUpdate().Table("grouped").Set("epoch = ?", epoch).Where("id = ?", id).WhereGroup(" AND ", func(q *bun.UpdateQuery) *bun.UpdateQuery { // want "staleadmitted"
			return q.Where("epoch < ?", epoch).WhereOr("ship = ''")
		}).Exec(ctx))
	})
}

// KeyLast has the key beside the conditions before it: an OR opens it, too.
func KeyLast(ctx context.Context, s *concurrency.Session, db *bun.DB, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		b := &Berth{ID: id, Epoch: epoch}
		return changed(db.NewUpdate().Model(b).ModelTableExpr("lasts AS b").Set("ship = 'a'").Where("ship = ''").WhereOr("ship IS NULL").WherePK("id", "epoch").Exec(ctx)) // want "staleadmitted"
	})
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
