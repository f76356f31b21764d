// Package upper writes through upper/db, whose Where takes the place of what stands before
// it and writes texts without parentheses.
package upper

import (
	"context"
	"database/sql"
	"errors"

	"github.com/upper/db/v4"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Cask is a row with its fence.
type Cask struct {
	ID    int64  `db:"id"`
	State string `db:"state"`
	Epoch int64  `db:"epoch"`
}

// Store names the table.
func (c *Cask) Store(sess db.Session) db.Store { return sess.Collection("casks").(db.Store) }

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/casks")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fill compares in a text.
func Fill(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("casks").Set("state", "full", "epoch", epoch).Where("id = ? AND epoch < ?", id, epoch).Exec())
	})
}

// Mapped compares in a map.
func Mapped(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("casks").Set(map[string]any{"state": "full", "epoch": epoch}).
			Where(db.Cond{"id": id, "epoch <": epoch}).ExecContext(ctx))
	})
}

// Joined compares by functions.
func Joined(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("casks").Set("epoch = ?", epoch).
			Where(db.And(db.Cond{"id": id}, db.Or(db.Cond{"state": "new"}, db.Cond{"state": "open"}))).
			And("epoch", db.Lt(epoch)).ExecContext(ctx))
	})
}

// Record stores a record.
func Record(ctx context.Context, s *concurrency.Session, sess db.Session, c *Cask) error {
	return held(ctx, s, func(epoch int64) error {
		c.Epoch = epoch
		return counted(sess.SQL().Update("casks").Set(c).Where("id = ?", c.ID).And("epoch < ?", epoch).ExecContext(ctx))
	})
}

// Whole writes the whole statement.
func Whole(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().ExecContext(ctx, `UPDATE casks SET epoch = $2 WHERE id = $1 AND epoch < $2`, id, epoch))
	})
}

// Found has the condition in its search, and no count.
func Found(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return sess.Collection("found").Find(db.Cond{"id": id, "epoch <": epoch}).Update(map[string]any{"epoch": epoch}) // want "rejectionignored"
	})
}

// Again begins its conditions anew.
func Again(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("again").Set("epoch", epoch).Where("epoch < ?", epoch).Where("id = ?", id).Exec()) // want "tokennotcompared"
	})
}

// Lost drops what And gives back.
func Lost(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		upd := sess.SQL().Update("lost").Set("epoch", epoch).Where("id = ?", id)
		upd.And("epoch < ?", epoch)
		return counted(upd.Exec()) // want "tokennotcompared"
	})
}

// Open has an OR in a text, which no parentheses hold.
func Open(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("open").Set("epoch", epoch).Where("id = ? OR state = 'new'", id).And("epoch < ?", epoch).Exec()) // want "staleadmitted"
	})
}

// Or lets all new ones through.
func Or(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("ors").Set("epoch", epoch).Where(db.Or(db.Cond{"epoch <": epoch}, db.Cond{"state": "new"})).Exec()) // want "staleadmitted"
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("turned").Set("epoch", epoch).Where(db.Cond{"id": id, "epoch": db.Gt(epoch)}).Exec()) // want "staleadmitted"
	})
}

// Amended changes the text by a function.
func Amended(ctx context.Context, s *concurrency.Session, sess db.Session, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return counted(sess.SQL().Update("amended").Set("epoch", epoch).Where("epoch < ?", epoch). // want "unprovedwrite"
														Amend(func(q string) string { return q + " OR true" }).Exec())
	})
}

// Saved has no condition beside the key.
func Saved(ctx context.Context, s *concurrency.Session, sess db.Session, c *Cask) error {
	return held(ctx, s, func(epoch int64) error {
		c.Epoch = epoch
		return sess.Save(c) // want "tokennotcompared"
	})
}

// Together saves behind a guard of the same transaction.
func Together(ctx context.Context, s *concurrency.Session, sess db.Session, c *Cask) error {
	return held(ctx, s, func(epoch int64) error {
		return sess.Tx(func(tx db.Session) error {
			if err := counted(tx.SQL().Update("gates").Set("epoch", epoch).Where("name = ? AND epoch <= ?", "casks", epoch).Exec()); err != nil {
				return err
			}
			return tx.Collection("casks").Find("id", c.ID).Update(map[string]any{"state": "full"})
		})
	})
}

// Apart saves outside of it.
func Apart(ctx context.Context, s *concurrency.Session, sess db.Session, c *Cask) error {
	return held(ctx, s, func(epoch int64) error {
		return sess.Tx(func(tx db.Session) error {
			if err := counted(tx.SQL().Update("gates").Set("epoch", epoch).Where("name = ? AND epoch <= ?", "casks", epoch).Exec()); err != nil {
				return err
			}
			return sess.Collection("casks").Find("id", c.ID).Update(map[string]any{"state": "full"}) // want "unfencedwrite"
		})
	})
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
