package nested

import (
	"context"
	"database/sql"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// The address of a record inside another one goes into calls.

func (g *grip) hold(epoch int64) { g.epoch = epoch }

func (g *grip) held() int64 { return g.epoch }

func (g grip) copied() int64 { return g.epoch }

func fill(g *grip, epoch int64) { g.epoch = epoch }

// pass hands the address on.
func (h *hand) pass(epoch int64) { fill(&h.in, epoch) }

type arm struct {
	left, right hand
}

// ByMethod lets a method of the record inside keep the epoch, and another one give it.
func ByMethod(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.in.hold(m.Header().Revision)
	return write(ctx, db, h.in.held())
}

// ByMethodOverwritten has it overwritten by that method.
func ByMethodOverwritten(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{in: grip{epoch: m.Header().Revision}}
	h.in.hold(time.Now().UnixNano())
	return write(ctx, db, h.in.held()) // want "clocktoken"
}

// Copied reads the record as a whole.
func Copied(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.note(m.Header().Revision)
	kept := h.in
	h.note(time.Now().UnixNano())
	return write(ctx, db, kept.epoch)
}

// CopiedLate reads it when the clock is in it.
func CopiedLate(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{in: grip{epoch: m.Header().Revision}}
	h.note(time.Now().UnixNano())
	return write(ctx, db, h.in.copied()) // want "clocktoken"
}

// HandedOn gives the address to a function of another function.
func HandedOn(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{in: grip{epoch: m.Header().Revision}}
	h.pass(time.Now().UnixNano())
	return write(ctx, db, h.in.epoch) // want "clocktoken"
}

// Replaced keeps the epoch in a new record in place of the one that a method has filled.
func Replaced(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.note(time.Now().UnixNano())
	h.in = grip{epoch: m.Header().Revision}
	return write(ctx, db, h.in.epoch)
}

// ReplacedByClock keeps the clock there.
func ReplacedByClock(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	h := &hand{}
	h.note(m.Header().Revision)
	h.in = grip{epoch: time.Now().UnixNano()}
	return write(ctx, db, h.in.epoch) // want "clocktoken"
}

// OtherHand fills another record of the same type.
func OtherHand(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	a := &arm{}
	a.left.note(m.Header().Revision)
	a.right.note(time.Now().UnixNano())
	return write(ctx, db, a.left.in.held())
}

// SameHand fills the same one by two ways.
func SameHand(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	a := &arm{}
	a.left.in.hold(m.Header().Revision)
	a.left.note(time.Now().UnixNano())
	return write(ctx, db, a.left.in.held()) // want "clocktoken"
}

type fist struct {
	in  grip
	now *grip
}

// AddressKept keeps it.
func AddressKept(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	f := &fist{in: grip{epoch: m.Header().Revision}}
	f.now = &f.in
	return write(ctx, db, f.in.epoch)
}

// AddressUsed writes by it.
func AddressUsed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	f := &fist{in: grip{epoch: m.Header().Revision}}
	f.now = &f.in
	f.now.epoch = time.Now().UnixNano()
	return write(ctx, db, f.in.epoch) // want "clocktoken"
}
