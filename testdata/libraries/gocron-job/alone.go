// Package gocronjob gives one job of a scheduler a locker.
package gocronjob

import (
	"database/sql"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// Alone gives one job of two a locker: the other runs in every process.
func Alone(s gocron.Scheduler, l gocron.Locker, db *sql.DB) error {
	if _, err := s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(func() error {
		_, err := db.Exec(`UPDATE pages SET html = 'y' WHERE id = 2`) // want "unfencedwrite"
		return err
	}),
		gocron.WithName("pages"),
		gocron.WithDistributedJobLocker(l), //fencelint:lock correctness
	); err != nil {
		return err
	}
	_, err := s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(func() error {
		_, err := db.Exec(`UPDATE seen SET at = 1 WHERE id = 3`)
		return err
	}), gocron.WithName("seen"))
	return err
}

// Kept makes the option first.
func Kept(s gocron.Scheduler, l gocron.Locker, db *sql.DB) error {
	//fencelint:lock correctness
	once := gocron.WithDistributedJobLocker(l)
	task := gocron.NewTask(func() error {
		_, err := db.Exec(`UPDATE pages SET html = 'z' WHERE id = 4`) // want "unfencedwrite"
		return err
	})
	_, err := s.NewJob(gocron.DurationJob(time.Hour), task, once)
	return err
}
