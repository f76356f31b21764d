// Package xorm writes through sessions that gather conditions.
package xorm

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"xorm.io/xorm"
)

var errStale = errors.New("a newer owner was there")

// Parcel is a row with its fence.
type Parcel struct {
	Id    int64
	State string
	Epoch int64 `xorm:"'epoch'"`
}

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/parcels")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Ship stores the fields of a record that are not zero.
func Ship(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.ID(id).Where("epoch < ?", epoch).Update(&Parcel{State: "shipped", Epoch: epoch}))
	})
}

// ShipCols names the columns.
func ShipCols(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.Cols("state", "epoch").Where("id = ?", id).And("epoch < ?", epoch).Update(&Parcel{Epoch: epoch}))
	})
}

// ShipMap stores a map.
func ShipMap(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.Table("parcel").ID(id).Where("epoch < ?", epoch).Update(map[string]interface{}{"state": "shipped", "epoch": epoch}))
	})
}

// ShipText runs a text.
func ShipText(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		res, err := e.Exec("UPDATE parcel SET epoch = ? WHERE id = ? AND epoch < ?", epoch, id, epoch)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errStale)
		}
		return nil
	})
}

// Session gathers its conditions on a session.
func Session(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		sess := e.NewSession()
		defer sess.Close()
		sess.Where("epoch < ?", epoch)
		sess.And("id = ?", id)
		return changed(sess.Update(&Parcel{State: "shipped", Epoch: epoch}))
	})
}

// InTx has the guard in the first statement of the transaction.
func InTx(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		sess := e.NewSession()
		defer sess.Close()
		if err := sess.Begin(); err != nil {
			return err
		}
		if err := changed(sess.Table("fence").Where("name = 'parcel'").And("epoch <= ?", epoch).Update(map[string]any{"epoch": epoch})); err != nil {
			return err
		}
		if _, err := sess.Table("crate").ID(id).Update(map[string]any{"full": true}); err != nil {
			return err
		}
		return sess.Commit()
	})
}

// Bare has no condition on the epoch.
func Bare(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.ID(id).Update(&Box{State: "shipped"})) // want "unfencedwrite"
	})
}

// Box is a row with a fence.
type Box struct {
	Id    int64
	State string
	Epoch int64
}

// Or opens the condition.
func Or(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.Where("epoch < ?", epoch).Or("id = ?", id).Update(&Box{State: "shipped", Epoch: epoch})) // want "staleadmitted"
	})
}

// Left leaves the epoch out of the columns.
func Left(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.ID(id).Cols("state").Where("epoch < ?", epoch).Update(&Box{State: "shipped", Epoch: epoch})) // want "fencenotadvanced"
	})
}

// All stores every column, and so sets the epoch back.
func All(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.ID(id).AllCols().Where("epoch < ?", epoch).Update(&Box{State: "shipped"})) // want "tokenmismatch"
	})
}

// Versioned has a column that the library compares: no update is lost.
func Versioned(ctx context.Context, s *concurrency.Session, e *xorm.Engine, t *Tray) error {
	return held(ctx, s, func(epoch int64) error {
		return changed(e.ID(t.Id).Update(t))
	})
}

// Tray is a row with a version.
type Tray struct {
	Id      int64
	Version int64 `xorm:"version"`
}

// Deaf does not look at the count.
func Deaf(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := e.ID(id).Where("epoch < ?", epoch).Update(&Box{Epoch: epoch}) // want "rejectionignored"
		return err
	})
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

// Twice runs a session again that has forgotten its condition.
func Twice(ctx context.Context, s *concurrency.Session, e *xorm.Engine, id int64) error {
	return held(ctx, s, func(epoch int64) error {
		q := e.NewSession()
		defer q.Close()
		q = q.Where("epoch < ?", epoch)
		if err := changed(q.ID(id).Update(&Box{Epoch: epoch})); err != nil { // want "unprovedwrite"
			return err
		}
		return changed(q.ID(id).Update(&Parcel{Epoch: epoch})) // want "unprovedwrite"
	})
}
