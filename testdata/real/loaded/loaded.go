// Package loaded keeps its epochs in atomics, and in records that options fill.
package loaded

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE trucks SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// lock takes the lock and gives the epoch that came with it.
func lock(ctx context.Context, m *concurrency.Mutex) (int64, error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return 0, err
	}
	return m.Header().Revision, nil
}

type grant struct {
	epoch int64
	depot string
}

// truck has the grant under which it drives.
type truck struct {
	current atomic.Pointer[grant]
	last    atomic.Value
}

func (t *truck) drive(epoch int64) { t.current.Store(&grant{epoch: epoch}) }

func (t *truck) epoch() int64 { return t.current.Load().epoch }

type option func(*grant)

func withEpoch(epoch int64) option { return func(g *grant) { g.epoch = epoch } }

func withDepot(depot string) option { return func(g *grant) { g.depot = depot } }

func newGrant(opts ...option) *grant {
	g := &grant{depot: "north"}
	for _, opt := range opts {
		opt(g)
	}
	return g
}

// Pointed loads a record from an atomic pointer.
func Pointed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	var current atomic.Pointer[grant]
	current.Store(&grant{epoch: epoch})
	return write(ctx, db, current.Load().epoch)
}

// PointedAnew changes the record.
func PointedAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	var current atomic.Pointer[grant]
	current.Store(&grant{epoch: epoch})
	current.Load().epoch = asked
	return write(ctx, db, current.Load().epoch) // want "clocktoken"
}

// Driven keeps the atomic in a field.
func Driven(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	t := &truck{}
	t.drive(epoch)
	return write(ctx, db, t.epoch())
}

// DrivenAnew stores another record there.
func DrivenAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	t := &truck{}
	t.drive(epoch)
	t.drive(asked)
	return write(ctx, db, t.epoch()) // want "clocktoken"
}

// Swapped uses the record that it took out.
func Swapped(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	t := &truck{}
	t.current.Store(&grant{epoch: epoch})
	old := t.current.Swap(nil)
	return write(ctx, db, old.epoch)
}

// SwappedAnew uses the record that it put in.
func SwappedAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	t := &truck{}
	t.current.Store(&grant{epoch: epoch})
	t.current.Swap(&grant{epoch: asked})
	return write(ctx, db, t.current.Load().epoch) // want "clocktoken"
}

// MaybeSwapped puts another one in if nobody did.
func MaybeSwapped(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	t := &truck{}
	g := &grant{epoch: epoch}
	t.current.Store(g)
	t.current.CompareAndSwap(g, &grant{epoch: asked})
	return write(ctx, db, t.current.Load().epoch) // want "clocktoken"
}

// Optional is given the epoch as an option.
func Optional(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	g := newGrant(withEpoch(epoch), withDepot("south"))
	return write(ctx, db, g.epoch)
}

// OptionalAnew is given another one behind it.
func OptionalAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	g := newGrant(withEpoch(epoch), withEpoch(asked))
	return write(ctx, db, g.epoch) // want "clocktoken"
}

// OptionalNone is given none.
func OptionalNone(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	g := newGrant(withDepot("south"))
	if epoch == 0 {
		return errStale
	}
	return write(ctx, db, g.epoch) // want "zerotoken"
}
