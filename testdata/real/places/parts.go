package places

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const shelf = `UPDATE shelves SET filled = filled + 1, epoch = $1 WHERE id = 7 AND epoch < $1`

func (s *Store) send(ctx context.Context, q string, args ...any) error {
	res, err := s.db.ExecContext(ctx, q, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodPart sends a part of its list.
func (s *Store) GoodPart(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	list := []any{"first", s.mu.Header().Revision}
	return s.send(ctx, shelf, list[1:]...)
}

// GoodRoom sends a list that was made with room to spare.
func (s *Store) GoodRoom(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	room := make([]any, 0, 4)
	return s.send(ctx, shelf, append(room, s.mu.Header().Revision)...)
}

// BadPart sends the other part.
func (s *Store) BadPart(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	list := []any{s.mu.Header().Revision, time.Now().Unix()}
	return s.send(ctx, shelf, list[1:]...) // want "clocktoken"
}

// BadCut cuts the condition off.
func (s *Store) BadCut(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	q := shelf
	q = q[:len(q)-len(" AND epoch < $1")]
	return s.send(ctx, q, s.mu.Header().Revision) // want "tokennotcompared"
}

// BadSign subtracts a number that may be negative: two signs begin a comment.
func (s *Store) BadSign(ctx context.Context, n int) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	q := fmt.Sprintf("UPDATE shelves SET epoch = $1, filled = filled -%d WHERE id = 7 AND epoch < $1", n)
	return s.send(ctx, q, s.mu.Header().Revision) // want "unprovedwrite"
}

// GoodSign puts a number into a name.
func (s *Store) GoodSign(ctx context.Context, n int) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	q := fmt.Sprintf("UPDATE shelves_%d SET epoch = $1 WHERE id = 7 AND epoch < $1", n)
	return s.send(ctx, q, s.mu.Header().Revision)
}

// GoodErrors collects the refusal with other errors.
func (s *Store) GoodErrors(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var all []error
	all = append(all, s.fill(ctx, s.mu.Header().Revision))
	return errors.Join(all...)
}

// BadErrors collects it, and forgets the list.
func (s *Store) BadErrors(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	var all []error
	all = append(all, s.fill(ctx, s.mu.Header().Revision)) // want "rejectionignored"
	fmt.Println(len(all))
	return nil
}

// BadPanic panics where it is refused, and catches that.
func (s *Store) BadPanic(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	defer func() { _ = recover() }()
	if s.fill(ctx, s.mu.Header().Revision) != nil { // want "rejectionignored"
		panic("stale")
	}
	return nil
}

// GoodPanic makes an error of it.
func (s *Store) GoodPanic(ctx context.Context) (err error) {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	defer func() {
		if r := recover(); r != nil {
			err = errStale
		}
	}()
	if s.fill(ctx, s.mu.Header().Revision) != nil {
		panic("stale")
	}
	return nil
}

// BadInserted asks for something else than how many rows there were.
func (s *Store) BadInserted(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	res, err := s.db.ExecContext(ctx, shelf, s.mu.Header().Revision) // want "rejectionignored"
	if err != nil {
		return err
	}
	_, err = res.LastInsertId()
	return err
}
