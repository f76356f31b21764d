// Package walked has its epochs in records that other code walks through.
package walked

import (
	"context"
	"database/sql"
	"errors"
	"time"
	"unsafe"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE barges SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
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

type barge struct {
	epoch int64
	name  string
	next  *barge
}

// convoy is a list of barges.
type convoy struct{ first *barge }

func (c *convoy) join(epoch int64) { c.first = &barge{epoch: epoch, next: c.first} }

func (c *convoy) rename(name string) {
	for b := c.first; b != nil; b = b.next {
		b.name = name
	}
}

func (c *convoy) renumber(epoch int64) {
	for b := c.first; b != nil; b = b.next {
		b.epoch = epoch
	}
}

func (c *convoy) last() *barge {
	b := c.first
	for b.next != nil {
		b = b.next
	}
	return b
}

type visitor func(b *barge)

func each(barges []*barge, visit visitor) {
	for _, b := range barges {
		visit(b)
	}
}

func byName(barges map[string]*barge, visit func(name string, b *barge)) {
	for name, b := range barges {
		visit(name, b)
	}
}

var count int64

func number(b *barge) { b.epoch = count }

func baptise(b *barge) { b.name = "Lotte" }

type inspector interface{ inspect(b *barge) }

type strict struct{ epoch int64 }

func (s strict) inspect(b *barge) { b.epoch = s.epoch }

func poke(b *barge, v int64) { *(*int64)(unsafe.Pointer(b)) = v }

func peek(b *barge) int64 { return *(*int64)(unsafe.Pointer(b)) }

// Listed reads from a list.
func Listed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	c := &convoy{}
	c.join(epoch)
	c.rename("Lotte")
	return write(ctx, db, c.first.epoch)
}

// ListedAnew reads from a list whose loop changes each.
func ListedAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	c := &convoy{}
	c.join(epoch)
	c.renumber(asked)
	return write(ctx, db, c.first.epoch) // want "clocktoken"
}

// LoopedAnew changes each itself.
func LoopedAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	c := &convoy{}
	c.join(epoch)
	for b := c.first; b != nil; b = b.next {
		b.epoch = asked
	}
	return write(ctx, db, c.first.epoch) // want "clocktoken"
}

// LastAnew changes the last one.
func LastAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	c := &convoy{}
	c.join(epoch)
	c.last().epoch = asked
	return write(ctx, db, c.first.epoch) // want "clocktoken"
}

// Visited has each visited.
func Visited(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &barge{epoch: epoch}
	each([]*barge{b}, func(b *barge) { b.name = "Lotte" })
	return write(ctx, db, b.epoch)
}

// VisitedAnew has each changed by a visitor.
func VisitedAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	b := &barge{epoch: epoch}
	each([]*barge{b}, func(b *barge) { b.epoch = asked })
	return write(ctx, db, b.epoch) // want "clocktoken"
}

// Baptised has each visited by a function.
func Baptised(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &barge{epoch: epoch}
	each([]*barge{b}, baptise)
	return write(ctx, db, b.epoch)
}

// Numbered has each changed by a function.
func Numbered(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &barge{epoch: epoch}
	each([]*barge{b}, number)
	return write(ctx, db, b.epoch) // want "unprovedwrite"
}

// ByName has all of a map visited.
func ByName(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	barges := map[string]*barge{"Lotte": {epoch: epoch}}
	byName(barges, func(name string, b *barge) { b.name = name })
	return write(ctx, db, barges["Lotte"].epoch)
}

// ByNameAnew has all of a map changed.
func ByNameAnew(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	barges := map[string]*barge{"Lotte": {epoch: epoch}}
	byName(barges, func(_ string, b *barge) { b.epoch = asked })
	return write(ctx, db, barges["Lotte"].epoch) // want "clocktoken"
}

// Inspected has a record changed behind an interface.
func Inspected(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	b := &barge{epoch: epoch}
	var i inspector = strict{epoch: asked}
	if asked > 7 {
		i = nil
	}
	i.inspect(b)
	return write(ctx, db, b.epoch) // want "clocktoken"
}

// Peeked reads by an unsafe pointer.
func Peeked(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &barge{epoch: epoch}
	if peek(b) == 0 {
		return errStale
	}
	return write(ctx, db, b.epoch)
}

// Poked writes by an unsafe pointer.
func Poked(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	b := &barge{epoch: epoch}
	poke(b, asked)
	return write(ctx, db, b.epoch) // want "unprovedwrite"
}
