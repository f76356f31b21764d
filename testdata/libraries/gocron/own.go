package gocron

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-co-op/gocron/v2"
)

// own is a locker that this program brings: a job whose lock another process has is left
// out this time.
type own struct{ client *redislock.Client }

type held struct{ lock *redislock.Lock }

func (o *own) Lock(ctx context.Context, key string) (gocron.Lock, error) {
	//fencelint:lock correctness
	lock, err := o.client.Obtain(ctx, "jobs/"+key, time.Minute, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	return &held{lock}, nil
}

func (h *held) Unlock(ctx context.Context) error { return h.lock.Release(ctx) }

// jobs keeps a scheduler in a field, and is told in one function of the locker, and in
// another of the jobs.
type jobs struct {
	scheduler gocron.Scheduler
	db        *sql.DB
}

func (j *jobs) start(client *redislock.Client) error {
	//fencelint:lock correctness
	s, err := gocron.NewScheduler(gocron.WithDistributedLocker(&own{client}))
	if err != nil {
		return err
	}
	j.scheduler = s
	return j.add()
}

func (j *jobs) add() error {
	_, err := j.scheduler.NewJob(gocron.DurationJob(time.Hour), gocron.NewTask(j.tidy, context.Background())) // want "unfencedwrite"
	return err
}

func (j *jobs) tidy(ctx context.Context) {
	j.db.ExecContext(ctx, `DELETE FROM stalls WHERE closed`)
}
