package places

import (
	"context"
	"time"
)

// hold takes the lock and gives its epoch.
func (s *Store) hold(ctx context.Context) (int64, func(), error) {
	if err := s.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return s.mu.Header().Revision, func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

// BadEntry replaces an entry of the map.
//
//fencelint:lock correctness
func (s *Store) BadEntry(ctx context.Context) error {
	epoch, release, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	m := map[string]int64{"epoch": epoch}
	m["epoch"] = time.Now().UnixNano()
	return s.fill(ctx, m["epoch"]) // want "clocktoken"
}

// BadRest writes by way of a part of the list.
//
//fencelint:lock correctness
func (s *Store) BadRest(ctx context.Context) error {
	epoch, release, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	list := []int64{0, epoch}
	rest := list[1:]
	rest[0] = time.Now().UnixNano()
	return s.fill(ctx, list[1]) // want "clocktoken"
}

// BadCaptured writes through a pointer that a literal has.
//
//fencelint:lock correctness
func (s *Store) BadCaptured(ctx context.Context) error {
	epoch, release, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	p := &epoch
	change := func() { *p = time.Now().UnixNano() }
	change()
	return s.fill(ctx, epoch) // want "clocktoken"
}

// BadOneOf writes through one of two addresses.
//
//fencelint:lock correctness
func (s *Store) BadOneOf(ctx context.Context, which bool) error {
	epoch, release, err := s.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	spare := int64(0)
	p := &spare
	if which {
		p = &epoch
	}
	*p = time.Now().UnixNano()
	return s.fill(ctx, epoch) // want "clocktoken"
}
