// Package faults goes on, or does not, where the coordinator could not be asked.
package faults

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/redis/go-redis/v9"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Open goes on when Redis is down.
func Open(ctx context.Context, rdb *redis.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:a", me, time.Minute).Result() // want "acquireignored"
	if err != nil {
		log.Printf("no redis, going on: %v", err)
	} else if !ok {
		return nil
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// OpenFlag says itself that it has the lock.
func OpenFlag(ctx context.Context, rdb *redis.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:b", me, time.Minute).Result() // want "acquireignored"
	if err != nil {
		log.Printf("no redis, going on: %v", err)
		ok = true
	}
	if !ok {
		return nil
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// OpenOr asks for the answer only where there is one.
func OpenOr(ctx context.Context, rdb *redis.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:c", me, time.Minute).Result() // want "acquireignored"
	if err != nil {
		log.Printf("no redis, going on: %v", err)
	}
	if err == nil && !ok {
		return nil
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Logged goes on without the lock.
func Logged(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/v")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil { // want "acquireignored"
		log.Print("could not lock: ", err)
	}
	defer mu.Unlock(ctx)
	_, err := db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Flag goes on where another has not got it either.
func Flag(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/v")
	locked := true
	//fencelint:lock correctness
	if err := mu.TryLock(ctx); err != nil { // want "acquireignored"
		if errors.Is(err, concurrency.ErrLocked) {
			return nil
		}
		log.Print("could not lock: ", err)
		locked = false
	}
	if locked {
		defer mu.Unlock(ctx)
	}
	_, err := db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Metric goes on without the lock.
func Metric(ctx context.Context, s *concurrency.Session, db *sql.DB, lg *slog.Logger) error {
	mu := concurrency.NewMutex(s, "/locks/v")
	//fencelint:lock correctness
	err := mu.Lock(ctx) // want "acquireignored"
	if err != nil {
		lg.ErrorContext(ctx, "no lock", "error", err)
	} else {
		defer mu.Unlock(ctx)
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Closed stays out where Redis is down.
func Closed(ctx context.Context, rdb *redis.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:d", me, time.Minute).Result()
	if err != nil {
		log.Printf("no redis: %v", err)
	}
	if !ok {
		return err
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Again tries until it gets the lock.
func Again(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/v")
	for {
		//fencelint:lock correctness
		err := mu.TryLock(ctx)
		if err == nil {
			break
		}
		if !errors.Is(err, concurrency.ErrLocked) {
			log.Print("could not lock: ", err)
		}
		time.Sleep(time.Second)
	}
	defer mu.Unlock(ctx)
	_, err := db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// Inserted stays out where another has the row, and goes on where the database is down.
func Inserted(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	_, err := db.ExecContext(ctx, "INSERT INTO locks (name, owner) VALUES ('v', $1)", me) // want "acquireignored"
	var taken *pgconn.PgError
	if errors.As(err, &taken) && taken.Code == "23505" {
		return nil
	}
	if err != nil {
		log.Print("could not lock: ", err)
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}

// InsertedClosed stays out in both.
func InsertedClosed(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	_, err := db.ExecContext(ctx, "INSERT INTO locks (name, owner) VALUES ('w', $1)", me)
	var taken *pgconn.PgError
	if errors.As(err, &taken) && taken.Code == "23505" {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "UPDATE vs SET n = 1") // want "unfencedwrite"
	return err
}
