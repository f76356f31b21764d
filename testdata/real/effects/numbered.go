package effects

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// BadNumbered numbers the bookings in the order of a map, which is another one each time.
func (s *Service) BadNumbered(ctx context.Context, batch string, bookings map[string][]byte) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	n := 0
	for _, b := range bookings {
		n++
		if err := s.api.Call(ctx, "POST", "/bookings", fmt.Sprintf("%s-%d", batch, n), b); err != nil { // want "unstableidempotency"
			return err
		}
	}
	return nil
}

// GoodNumbered numbers them in the order of their names.
func (s *Service) GoodNumbered(ctx context.Context, batch string, bookings map[string][]byte) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for n, name := range slices.Sorted(maps.Keys(bookings)) {
		if err := s.api.Call(ctx, "POST", "/bookings", fmt.Sprintf("%s-%d", batch, n), bookings[name]); err != nil {
			return err
		}
	}
	return nil
}

// GoodNamed takes the names themselves.
func (s *Service) GoodNamed(ctx context.Context, batch string, bookings map[string][]byte) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	done := 0
	for name, b := range bookings {
		if err := s.api.Call(ctx, "POST", "/bookings", batch+"/"+name, b); err != nil {
			return fmt.Errorf("after %d bookings: %w", done, err)
		}
		done++
	}
	return nil
}
