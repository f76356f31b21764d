// Package gocronjobs has the jobs of a program, and does not know how they are scheduled.
package gocronjobs

import (
	"database/sql"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// Jobs are what is to be done from time to time.
type Jobs struct{ DB *sql.DB }

// Register hands the jobs over.
func (j *Jobs) Register(s gocron.Scheduler) error {
	if _, err := s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(j.render)); err != nil {
		return err
	}
	_, err := s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(func() { j.look() }))
	return err
}

func (j *Jobs) render() error {
	_, err := j.DB.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`)
	return err
}

func (j *Jobs) look() { j.DB.QueryRow(`SELECT count(*) FROM pages`) }

// Once does it now.
func (j *Jobs) Once() error { return j.render() }
