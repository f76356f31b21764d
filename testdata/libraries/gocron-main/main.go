// Package main schedules the jobs of another package under a locker.
package main

import (
	"context"
	"database/sql"
	"log"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-co-op/gocron/v2"
	"github.com/redis/go-redis/v9"

	gocronjobs "fencelint.example/libraries/gocron-jobs"
)

type locker struct{ client *redislock.Client }

type lock struct{ *redislock.Lock }

func (l *lock) Unlock(ctx context.Context) error { return l.Release(ctx) }

func (l *locker) Lock(ctx context.Context, key string) (gocron.Lock, error) {
	//fencelint:lock correctness
	got, err := l.client.Obtain(ctx, "jobs/"+key, time.Minute, nil)
	if err != nil {
		return nil, err
	}
	return &lock{got}, nil
}

func main() {
	db, err := sql.Open("pgx", "")
	if err != nil {
		log.Fatal(err)
	}
	client := redislock.New(redis.NewClient(&redis.Options{}))
	s, err := gocron.NewScheduler(gocron.WithDistributedLocker(&locker{client}))
	if err != nil {
		log.Fatal(err)
	}
	jobs := &gocronjobs.Jobs{DB: db}
	if err := jobs.Once(); err != nil {
		log.Fatal(err)
	}
	if err := jobs.Register(s); err != nil { // want "unfencedwrite"
		log.Fatal(err)
	}
	s.Start()
	select {}
}
