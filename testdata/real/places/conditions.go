package places

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

func (s *Store) run(ctx context.Context, q string) error {
	res, err := s.db.ExecContext(ctx, q, s.mu.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type column string

type kept string

func (k kept) String() string { return string(k) }

type negated string

func (n negated) String() string { return "NOT (" + string(n) + ")" }

type relation string

func (r relation) Format(s fmt.State, _ rune) { _, _ = fmt.Fprint(s, string(r), "=") }

// GoodSaid prints names, one of which says so itself.
func (s *Store) GoodSaid(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	return s.run(ctx, fmt.Sprintf("UPDATE %s SET filled = 1, %s = $1 WHERE id = 7 AND epoch < $1", kept("shelves"), column("epoch")))
}

// BadSaid prints a condition that says its opposite.
func (s *Store) BadSaid(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	return s.run(ctx, fmt.Sprintf("UPDATE shelves SET filled = 1, epoch = $1 WHERE id = 7 AND %v", negated("epoch < $1"))) // want "staleadmitted"
}

// BadFormat prints an operator that writes more than it is.
func (s *Store) BadFormat(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	return s.run(ctx, fmt.Sprintf("UPDATE shelves SET filled = 1, epoch = $1 WHERE id = 7 AND epoch %v $1", relation("<"))) // want "unprovedwrite"
}

func conditions() map[string]string { return map[string]string{"epoch": "< $1"} }

func loosened(m map[string]string) { m["epoch"] = ">= 0 OR epoch < $1" }

func where(m map[string]string) string {
	var all []string
	for k, v := range m {
		all = append(all, k+" "+v)
	}
	return strings.Join(all, " AND ")
}

// BadFilled has a function change the condition.
func (s *Store) BadFilled(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	m := map[string]string{"epoch": "< $1"}
	loosened(m)
	return s.run(ctx, "UPDATE shelves SET filled = 1, epoch = $1 WHERE id = 7 AND "+where(m)) // want "unprovedwrite"
}

// BadReturned changes what a function made.
func (s *Store) BadReturned(ctx context.Context, odd bool) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	m := conditions()
	if odd {
		m["epoch"] = ">= $1"
	}
	return s.run(ctx, "UPDATE shelves SET filled = 1, epoch = $1 WHERE id = 7 AND epoch "+m["epoch"]) // want "staleadmitted"
}

var clauses = []string{"epoch < $1"}

func init() { clauses[0] = "epoch >= 0" }

// BadShared has the condition in a list of the package, which other code changes.
func (s *Store) BadShared(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	return s.run(ctx, "UPDATE shelves SET filled = 1, epoch = $1 WHERE id = 7 AND "+clauses[0]) // want "unprovedwrite"
}

func later(args []any, i int) { args[i] = 1 << 40 }

// BadArgs has a function replace an argument.
func (s *Store) BadArgs(ctx context.Context) error {
	//fencelint:lock correctness
	if err := s.mu.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = s.mu.Unlock(context.WithoutCancel(ctx)) }()
	args := []any{s.mu.Header().Revision, 7}
	later(args, 0)
	res, err := s.db.ExecContext(ctx, `UPDATE shelves SET filled = 1, epoch = $1 WHERE id = $2 AND epoch < $1`, args...) // want "unfencedwrite"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
