// Package gocron runs jobs under the locker of a scheduler.
package gocron

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-co-op/gocron/v2"
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

// Ignored goes on without the lock.
func Ignored(ctx context.Context, l gocron.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	held, _ := l.Lock(ctx, "stall") // want "acquireignored"
	if held != nil {
		defer held.Unlock(ctx)
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Schedule gives each job the lock of its name; the job itself sees none.
func Schedule(l gocron.Locker, db *sql.DB) (gocron.Scheduler, error) {
	//fencelint:lock correctness
	s, err := gocron.NewScheduler(gocron.WithDistributedLocker(l))
	if err != nil {
		return nil, err
	}
	_, err = s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(func() error {
		_, err := db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`) // want "unfencedwrite"
		return err
	}))
	return s, err
}
