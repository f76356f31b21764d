// Package nested keeps its epochs in records inside other records, and in maps.
package nested

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE nests SET eggs = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type grip struct{ epoch int64 }

type hand struct {
	in grip
	grip
}

// note keeps an epoch in the record inside.
func (h *hand) note(epoch int64) { h.in.epoch = epoch }

// embed keeps it in the embedded one.
func (h *hand) embed(epoch int64) { h.epoch = epoch }

// Kept writes with the epoch that it was given with the lock.
func Kept(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.note(m.Header().Revision)
	return write(ctx, db, h.in.epoch)
}

// Overwritten lets a method put the clock in its place.
func Overwritten(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.in.epoch = m.Header().Revision
	h.note(time.Now().UnixNano())
	return write(ctx, db, h.in.epoch) // want "clocktoken"
}

// Embedded writes with what the embedded record keeps.
func Embedded(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.embed(m.Header().Revision)
	return write(ctx, db, h.epoch)
}

// EmbeddedOverwritten has it overwritten.
func EmbeddedOverwritten(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.grip.epoch = m.Header().Revision
	h.embed(time.Now().UnixNano())
	return write(ctx, db, h.epoch) // want "clocktoken"
}

// TwiceSet holds the last of two entries of one key.
func TwiceSet(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	epochs := map[string]int64{}
	epochs["nest"] = 0
	epochs["nest"] = m.Header().Revision
	return write(ctx, db, epochs["nest"])
}

// Desk has its hand in a field.
type Desk struct {
	db *sql.DB
	mu *concurrency.Mutex
	h  hand
}

// Write keeps the epoch in its hand.
func (d *Desk) Write(ctx context.Context) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = d.mu.Unlock(context.WithoutCancel(ctx)) }()
	d.h.note(d.mu.Header().Revision)
	return write(ctx, d.db, d.h.in.epoch)
}

// Overwrite lets the clock in after the epoch.
func (d *Desk) Overwrite(ctx context.Context) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = d.mu.Unlock(context.WithoutCancel(ctx)) }()
	d.h.in.epoch = d.mu.Header().Revision
	d.h.note(time.Now().UnixNano())
	return write(ctx, d.db, d.h.in.epoch) // want "clocktoken"
}

// Shared is given the hand by others.
func Shared(ctx context.Context, m *concurrency.Mutex, db *sql.DB, h *hand) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h.in.epoch = m.Header().Revision
	h.note(time.Now().UnixNano())
	return write(ctx, db, h.in.epoch) // want "clocktoken"
}

// Literal makes the record with the epoch in it, and lets the clock in after it.
func Literal(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{in: grip{epoch: m.Header().Revision}}
	h.note(time.Now().UnixNano())
	return write(ctx, db, h.in.epoch) // want "clocktoken"
}

// LiteralKept only makes it.
func LiteralKept(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{in: grip{epoch: m.Header().Revision}}
	return write(ctx, db, h.in.epoch)
}

// TwiceSetWrong holds the first value no longer.
func TwiceSetWrong(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	epochs := map[string]int64{}
	epochs["nest"] = m.Header().Revision
	epochs["nest"] = 0
	return write(ctx, db, epochs["nest"]) // want "zerotoken"
}

// Again sets it after the loop has begun: later rounds write with what the clock says.
func Again(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	epochs := map[string]int64{}
	epochs["nest"] = m.Header().Revision
	for range 3 {
		if err := write(ctx, db, epochs["nest"]); err != nil { // want "clocktoken"
			return err
		}
		epochs["nest"] = time.Now().UnixNano()
	}
	return nil
}
