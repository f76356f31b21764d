// Package places keeps the epoch in variables, fields and atomics that other code reaches:
// what that code puts there is what the write brings.
package places

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer keeper has been here")

// Store is where everything ends.
type Store struct {
	db *sql.DB
	mu *concurrency.Mutex
}

func (s *Store) fill(ctx context.Context, epoch int64) error {
	res, err := s.db.ExecContext(ctx, `UPDATE shelves SET filled = filled + 1, epoch = $1 WHERE id = 7 AND epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type slip struct{ epoch int64 }

func (s *slip) put(n int64) { s.epoch = n }

func (s *slip) replace() { *s = slip{epoch: time.Now().Unix()} }

func putAt[T any](p *T, v T) { *p = v }

// GoodLiteral lets literals set the epoch, and clear it when all is done.
func (s *Store) GoodLiteral(ctx context.Context) error {
	var epoch int64
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	take := func() { epoch = s.mu.Header().Revision }
	take()
	defer func() {
		epoch = 0
		_ = s.mu.Unlock(context.WithoutCancel(ctx))
	}()
	return s.fill(ctx, epoch)
}

// GoodParts replaces what was in the slip before the lock.
func (s *Store) GoodParts(ctx context.Context) error {
	p := slip{epoch: time.Now().Unix()}
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p.epoch = s.mu.Header().Revision
	return s.fill(ctx, p.epoch)
}

// BadGoroutine has a goroutine that puts another number there.
func (s *Store) BadGoroutine(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := slip{epoch: s.mu.Header().Revision}
	go func() { p.epoch = time.Now().Unix() }()
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadOnce hands a literal to code that runs it.
func (s *Store) BadOnce(ctx context.Context, once *sync.Once) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := &slip{epoch: s.mu.Header().Revision}
	once.Do(func() { p.epoch = time.Now().Unix() })
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadNested has a literal in a literal.
func (s *Store) BadNested(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	epoch := s.mu.Header().Revision
	outer := func() {
		inner := func() { epoch = time.Now().Unix() }
		inner()
	}
	outer()
	return s.fill(ctx, epoch) // want "clocktoken"
}

// BadScan reads another number into the field.
func (s *Store) BadScan(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := slip{epoch: s.mu.Header().Revision}
	if err := s.db.QueryRowContext(ctx, `SELECT max(epoch) FROM shelves`).Scan(&p.epoch); err != nil {
		return err
	}
	return s.fill(ctx, p.epoch) // want "unboundcounter"
}

// BadAddress gives the address of the field away.
func (s *Store) BadAddress(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := slip{epoch: s.mu.Header().Revision}
	putAt(&p.epoch, time.Now().Unix())
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadWhole has another function replace the whole slip.
func (s *Store) BadWhole(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := &slip{epoch: s.mu.Header().Revision}
	p.replace()
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadAfter stores behind what a function stored.
func (s *Store) BadAfter(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := &slip{}
	p.put(s.mu.Header().Revision)
	p.epoch = time.Now().Unix()
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadEither stores in one of two slips.
func (s *Store) BadEither(ctx context.Context, odd bool) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p, q := &slip{epoch: s.mu.Header().Revision}, &slip{}
	x := p
	if odd {
		x = q
	}
	x.epoch = time.Now().Unix()
	return s.fill(ctx, p.epoch) // want "clocktoken"
}

// BadSome sets the epoch on one way only.
func (s *Store) BadSome(ctx context.Context, odd bool) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := slip{}
	if odd {
		p.epoch = s.mu.Header().Revision
	}
	return s.fill(ctx, p.epoch) // want "zerotoken"
}

// BadLoop puts another number there for the next round.
func (s *Store) BadLoop(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	p := &slip{epoch: s.mu.Header().Revision}
	for range 3 {
		if err := s.fill(ctx, p.epoch); err != nil { // want "clocktoken"
			return err
		}
		p.epoch = time.Now().Unix()
	}
	return nil
}

// Desk has a slip of its own, and one that is kept elsewhere.
type Desk struct {
	Store
	own  slip
	kept *slip
}

// BadOwn replaces a part of what it has just put there.
func (d *Desk) BadOwn(ctx context.Context) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = d.mu.Unlock(context.WithoutCancel(ctx)) }()
	d.own = slip{epoch: d.mu.Header().Revision}
	d.own.epoch = time.Now().Unix()
	return d.fill(ctx, d.own.epoch) // want "clocktoken"
}

func (d *Desk) late() { d.kept.epoch = time.Now().Unix() }

// BadKept has a method reach what it has just put there.
func (d *Desk) BadKept(ctx context.Context) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = d.mu.Unlock(context.WithoutCancel(ctx)) }()
	d.kept = &slip{epoch: d.mu.Header().Revision}
	d.late()
	return d.fill(ctx, d.kept.epoch) // want "clocktoken"
}
