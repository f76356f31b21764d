// Package marked has marks behind an interface. The package clause gives a class to what
// is a lock, and makes none of what is not.
//
//fencelint:lock correctness
package marked

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/marked/rows"
)

// Outputs keeps what steps put out.
type Outputs interface {
	Save(ctx context.Context, id int64, lockfile string) error
	Finish(ctx context.Context, id int64) error
}

// Step saves what it has put out, and is done.
type Step struct{ out Outputs }

// NewStep keeps outputs in a database.
func NewStep(db *sql.DB) *Step { return &Step{&rows.Table{DB: db}} }

// Run is under no lock.
func (s *Step) Run(ctx context.Context, id int64) error { return s.run(ctx, id) }

func (s *Step) run(ctx context.Context, id int64) error {
	if err := s.out.Save(ctx, id, "go.sum"); err != nil {
		return err
	}
	return s.out.Finish(ctx, id)
}

// Locker takes locks.
type Locker interface {
	Lock(ctx context.Context) error
	Unlock(ctx context.Context) error
}

// Held does the same under a lock.
func Held(ctx context.Context, l Locker, db *sql.DB, id int64) error {
	if err := l.Lock(ctx); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "UPDATE stairs SET done = true WHERE id = $1", id)
	return errors.Join(err, l.Unlock(ctx))
}

// Main has the lock of etcd.
func Main(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return Held(ctx, concurrency.NewMutex(s, "/locks/stairs"), db, 1) // want "unfencedwrite"
}
