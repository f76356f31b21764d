// Package gocronelector asks an elector before each run of a job.
package gocronelector

import (
	"database/sql"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// elected has its own scheduler, and asks an elector before each run of a job: a process
// that leads no more may still be at it.
type elected struct{ db *sql.DB }

func (e *elected) schedule(el gocron.Elector) (gocron.Scheduler, error) {
	//fencelint:lock correctness
	s, err := gocron.NewScheduler(gocron.WithDistributedElector(el))
	if err != nil {
		return nil, err
	}
	_, err = s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(e.sweep)) // want "checknotfence"
	return s, err
}

func (e *elected) sweep() error {
	_, err := e.db.Exec(`DELETE FROM carts WHERE idle`)
	return err
}
