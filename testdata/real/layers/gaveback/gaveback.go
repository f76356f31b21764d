// Package gaveback takes locks in methods that give them back before they return, in
// ways that take some reading: only if there is one, and in a deferred function.
//
//fencelint:lock efficiency
package gaveback

import (
	"context"
	"database/sql"
	"time"
)

// Lock is a held lock.
type Lock interface{ Release() error }

// Factory takes locks.
type Factory interface {
	Acquire(ctx context.Context, id []int) (Lock, bool, error)
}

// Schema brings a database to its newest form.
type Schema struct {
	db    *sql.DB
	locks Factory // nil where nobody else is there
}

func (s *Schema) acquire(ctx context.Context) (Lock, error) {
	var err error
	var acquired bool
	var l Lock
	if s.locks != nil {
		for {
			l, acquired, err = s.locks.Acquire(ctx, []int{7}) // taken
			if err != nil {
				return nil, err
			}
			if acquired {
				break
			}
			time.Sleep(time.Second)
		}
	}
	return l, err
}

// Migrate takes the lock if there are several, and gives it back.
func (s *Schema) Migrate(ctx context.Context, text string) error {
	l, err := s.acquire(ctx) // taken
	if err != nil {
		return err
	}
	if l != nil {
		defer l.Release()
	}
	_, err = s.db.ExecContext(ctx, text)
	return err
}

// Up calls Migrate, which has given its lock back when it returns.
func (s *Schema) Up(ctx context.Context) error {
	return s.Migrate(ctx, "ALTER TABLE crates ADD weight int")
}
