// Package kept calls functions, under a lock, that are put elsewhere into what it
// takes them from.
package kept

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type step func(ctx context.Context, db *sql.DB, epoch int64) error

var (
	after    step = nothing
	byName        = map[string]step{"none": nothing}
	all      []step
	late     sync.Map
	unlocked = map[string]step{}
	errStale = errors.New("a newer owner was there")
)

func nothing(context.Context, *sql.DB, int64) error { return nil }

func init() {
	after = plain("UPDATE kegs SET a = 1")
	byName["fill"] = fill // want "unfencedwrite"
	byName["good"] = fenced
	register(func(ctx context.Context, db *sql.DB, _ int64) error {
		_, err := db.ExecContext(ctx, "UPDATE kegs SET b = 1") // want "unfencedwrite"
		return err
	})
	registerTyped(func(ctx context.Context, db *sql.DB, name string) error {
		_, err := db.ExecContext(ctx, "UPDATE kegs SET name = $1", name) // want "unfencedwrite"
		return err
	})
	late.Store("drain", step(drain)) // want "unfencedwrite"
	unlocked["fill"] = func(ctx context.Context, db *sql.DB, _ int64) error {
		_, err := db.ExecContext(ctx, "UPDATE taps SET a = 1")
		return err
	}
}

func register(s step) { all = append(all, s) }

var typed = map[string]step{}

func registerTyped[T ~string](f func(context.Context, *sql.DB, T) error) {
	typed["t"] = func(ctx context.Context, db *sql.DB, _ int64) error { return f(ctx, db, T("t")) }
}

func plain(q string) step {
	return func(ctx context.Context, db *sql.DB, _ int64) error {
		_, err := db.ExecContext(ctx, q) // want "unfencedwrite"
		return err
	}
}

func fill(ctx context.Context, db *sql.DB, _ int64) error {
	_, err := db.ExecContext(ctx, "UPDATE kegs SET full = true")
	return err
}

func drain(ctx context.Context, db *sql.DB, _ int64) error {
	_, err := db.ExecContext(ctx, "UPDATE kegs SET full = false")
	return err
}

func fenced(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx, "UPDATE kegs SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Run calls what is kept.
func Run(ctx context.Context, s *concurrency.Session, db *sql.DB, name string) error {
	mu := concurrency.NewMutex(s, "/locks/kept")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	epoch := mu.Header().Revision
	if err := after(ctx, db, epoch); err != nil {
		return err
	}
	if err := byName[name](ctx, db, epoch); err != nil {
		return err
	}
	if err := typed[name](ctx, db, epoch); err != nil {
		return err
	}
	for _, s := range all {
		if err := s(ctx, db, epoch); err != nil {
			return err
		}
	}
	if v, ok := late.Load(name); ok {
		return v.(step)(ctx, db, epoch)
	}
	return nil
}

// Unlocked calls others without a lock.
func Unlocked(ctx context.Context, db *sql.DB, name string) error {
	return unlocked[name](ctx, db, 0)
}

type pump struct {
	work chan func() error
}

func (p *pump) add(f func() error) { p.work <- f }

func (p *pump) drain() error {
	for f := range p.work {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// Pump hands functions over by a channel.
func Pump(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	p := &pump{work: make(chan func() error, 1)}
	p.add(func() error {
		_, err := db.ExecContext(ctx, "UPDATE pumps SET a = 1") // want "unfencedwrite"
		return err
	})
	mu := concurrency.NewMutex(s, "/locks/pump")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return p.drain()
}

type config struct{ done func(context.Context) error }

type option func(*config)

func withDone(f func(context.Context) error) option { return func(c *config) { c.done = f } }

func run(ctx context.Context, s *concurrency.Session, opts ...option) error {
	var c config
	for _, o := range opts {
		o(&c)
	}
	mu := concurrency.NewMutex(s, "/locks/option")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return c.done(ctx)
}

// Option gives the function by an option.
func Option(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return run(ctx, s, withDone(func(ctx context.Context) error {
		_, err := db.ExecContext(ctx, "UPDATE options SET a = 1") // want "unfencedwrite"
		return err
	}))
}
