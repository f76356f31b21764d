// Package gocronownouter says where the scheduler is told what its lock is for: the locker need not.
package gocronownouter

import (
	"context"
	"database/sql"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-co-op/gocron/v2"
)

type locker struct{ client *redislock.Client }

type lock struct{ *redislock.Lock }

func (l *lock) Unlock(ctx context.Context) error { return l.Release(ctx) }

func (l *locker) Lock(ctx context.Context, key string) (gocron.Lock, error) {
	got, err := l.client.Obtain(ctx, "jobs/"+key, time.Minute, nil)
	if err != nil {
		return nil, err
	}
	return &lock{got}, nil
}

// Schedule runs one job.
func Schedule(client *redislock.Client, db *sql.DB) (gocron.Scheduler, error) {
	//fencelint:lock correctness
	s, err := gocron.NewScheduler(gocron.WithDistributedLocker(&locker{client}))
	if err != nil {
		return nil, err
	}
	_, err = s.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(func() error {
		_, err := db.Exec(`UPDATE pages SET html = 'x' WHERE id = 1`) // want "unfencedwrite"
		return err
	}))
	return s, err
}
