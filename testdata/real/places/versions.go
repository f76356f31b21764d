package places

import (
	"context"
	"encoding/json"
	"errors"
)

// GoodVersion compares the version that it has read.
func (s *Store) GoodVersion(ctx context.Context) error {
	//fencelint:lock correctness contract=cas
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var version, stock int64
	if err := s.db.QueryRowContext(ctx, `SELECT version, stock FROM bins WHERE id = 3`).Scan(&version, &stock); err != nil {
		return err
	}
	return s.swap(ctx, version, stock-1)
}

// BadVersion reads on one way only.
func (s *Store) BadVersion(ctx context.Context, known bool) error {
	//fencelint:lock correctness contract=cas
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var version, stock int64
	if !known {
		if err := s.db.QueryRowContext(ctx, `SELECT version, stock FROM bins WHERE id = 3`).Scan(&version, &stock); err != nil {
			return err
		}
	}
	return s.swap(ctx, version, stock-1) // want "zerotoken"
}

// BadDropped does not look whether it has read anything.
func (s *Store) BadDropped(ctx context.Context) error {
	//fencelint:lock correctness contract=cas
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var version, stock int64
	_ = s.db.QueryRowContext(ctx, `SELECT version, stock FROM bins WHERE id = 3`).Scan(&version, &stock)
	return s.swap(ctx, version, stock-1) // want "zerotoken"
}

func (s *Store) swap(ctx context.Context, version, stock int64) error {
	res, err := s.db.ExecContext(ctx, `UPDATE bins SET stock = $2, version = version + 1 WHERE id = 3 AND version = $1`, version, stock)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Note is what goes through an encoding.
type Note struct{ Epoch int64 }

// GoodNote reads its own note.
func (s *Store) GoodNote(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	b, err := json.Marshal(Note{Epoch: s.mu.Header().Revision})
	if err != nil {
		return err
	}
	var n Note
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	return s.fill(ctx, n.Epoch)
}

// BadNote does not look whether it could be read.
func (s *Store) BadNote(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	b, err := json.Marshal(Note{Epoch: s.mu.Header().Revision})
	if err != nil {
		return err
	}
	var n Note
	_ = json.Unmarshal(b, &n)
	return s.fill(ctx, n.Epoch) // want "zerotoken"
}
