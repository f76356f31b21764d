package places

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"
)

// Raw keeps the epoch in a number that only atomic functions touch.
type Raw struct {
	Store
	epoch int64
}

// GoodRaw stores and loads it.
func (r *Raw) GoodRaw(ctx context.Context) error {
	//fencelint:lock correctness
	if err := r.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = r.mu.Unlock(context.WithoutCancel(ctx)) }()
	atomic.StoreInt64(&r.epoch, r.mu.Header().Revision)
	return r.fill(ctx, atomic.LoadInt64(&r.epoch))
}

// GoodLocal keeps it in a variable.
func (r *Raw) GoodLocal(ctx context.Context) error {
	//fencelint:lock correctness
	if err := r.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = r.mu.Unlock(context.WithoutCancel(ctx)) }()
	var raw int64
	atomic.StoreInt64(&raw, r.mu.Header().Revision)
	return r.fill(ctx, atomic.LoadInt64(&raw))
}

// GoodCleared keeps it in a variable that a watcher clears.
func (r *Raw) GoodCleared(ctx context.Context) error {
	//fencelint:lock correctness
	if err := r.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = r.mu.Unlock(context.WithoutCancel(ctx)) }()
	var epoch atomic.Int64
	epoch.Store(r.mu.Header().Revision)
	go func() {
		<-ctx.Done()
		epoch.Store(0)
	}()
	return r.fill(ctx, epoch.Load())
}

// Moved is one whose number another function moves.
type Moved struct {
	Store
	epoch int64
}

func (m *Moved) move() { atomic.StoreInt64(&m.epoch, time.Now().Unix()) }

// BadMoved moves it behind the assignment.
func (m *Moved) BadMoved(ctx context.Context) error {
	//fencelint:lock correctness
	if err := m.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.mu.Unlock(context.WithoutCancel(ctx)) }()
	m.epoch = m.mu.Header().Revision
	m.move()
	return m.fill(ctx, m.epoch) // want "clocktoken"
}

// BadRaised counts in this process.
func (m *Moved) BadRaised(ctx context.Context) error {
	//fencelint:lock correctness
	if err := m.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.mu.Unlock(context.WithoutCancel(ctx)) }()
	epoch := m.mu.Header().Revision
	raise := func() { atomic.AddInt64(&epoch, 1000) }
	raise()
	return m.fill(ctx, epoch) // want "localcounter"
}

// BadBeside has a goroutine store in a raw number.
func (m *Moved) BadBeside(ctx context.Context) error {
	//fencelint:lock correctness
	if err := m.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.mu.Unlock(context.WithoutCancel(ctx)) }()
	epoch := m.mu.Header().Revision
	go func() { atomic.StoreInt64(&epoch, time.Now().Unix()) }()
	return m.fill(ctx, epoch) // want "clocktoken"
}

// BadAtomic has a goroutine store in an atomic.
func (m *Moved) BadAtomic(ctx context.Context) error {
	//fencelint:lock correctness
	if err := m.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.mu.Unlock(context.WithoutCancel(ctx)) }()
	var epoch atomic.Int64
	epoch.Store(m.mu.Header().Revision)
	go func() { epoch.Store(time.Now().Unix()) }()
	return m.fill(ctx, epoch.Load()) // want "clocktoken"
}

// Kept keeps the epoch in an atomic that another method stores in.
type Kept struct {
	Store
	epoch atomic.Int64
}

func (k *Kept) move() { k.epoch.Store(time.Now().Unix()) }

// BadKept runs the other method beside.
func (k *Kept) BadKept(ctx context.Context) error {
	//fencelint:lock correctness
	if err := k.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = k.mu.Unlock(context.WithoutCancel(ctx)) }()
	k.epoch.Store(k.mu.Header().Revision)
	go k.move()
	return k.fill(ctx, k.epoch.Load()) // want "clocktoken"
}

// GoodText reads the epoch back from a text, and looks whether it could be read.
func (s *Store) GoodText(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var epoch int64
	if _, err := fmt.Sscan(strconv.FormatInt(s.mu.Header().Revision, 10), &epoch); err != nil {
		return err
	}
	return s.fill(ctx, epoch)
}

// BadText does not look.
func (s *Store) BadText(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var epoch int64
	fmt.Sscan(strconv.FormatInt(s.mu.Header().Revision, 10), &epoch)
	return s.fill(ctx, epoch) // want "zerotoken"
}
