// Package gocron1 runs jobs under the locker of a scheduler.
package gocron1

import (
	"context"
	"database/sql"

	"github.com/go-co-op/gocron"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Locker is what a scheduler is given.
func Locker(ctx context.Context, l gocron.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, err := l.Lock(ctx, "stall")
	if err != nil {
		return err
	}
	defer held.Unlock(ctx)
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Late writes when the lock is gone.
func Late(ctx context.Context, l gocron.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, err := l.Lock(ctx, "stall")
	if err != nil {
		return err
	}
	if err := held.Unlock(ctx); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, open) // want "writeafterrelease"
	return err
}

// Schedule gives each job the lock of its name.
func Schedule(s *gocron.Scheduler, l gocron.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	s.WithDistributedLocker(l)
	_, err := s.Every(1).Hour().Do(func() {
		db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`) // want "unfencedwrite"
	})
	return err
}
