// Package keys takes locks that are known by their keys.
package keys

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/redis/go-redis/v9"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

var errBusy = errors.New("busy")

// BadObject deletes the object whoever has it.
func BadObject(ctx context.Context, c *s3.Client, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("lock"), IfNoneMatch: aws.String("*")})
	if err != nil {
		return err
	}
	defer c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("b"), Key: aws.String("lock")}) // want "unsaferelease"
	_, err = db.ExecContext(ctx, plain)                                                                // want "unfencedwrite"
	return err
}

// GoodObject deletes what it put.
func GoodObject(ctx context.Context, c *s3.Client, db *sql.DB) error {
	//fencelint:lock correctness
	out, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("lock2"), IfNoneMatch: aws.String("*")})
	if err != nil {
		return err
	}
	defer c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("b"), Key: aws.String("lock2"), IfMatch: out.ETag})
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadDo sets no end.
func BadDo(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	err := rdb.Do(ctx, "SET", "lock:x", me, "NX").Err() // want "noexpiry"
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodDo sets one.
func GoodDo(ctx context.Context, rdb *redis.Client, me string, db *sql.DB) error {
	//fencelint:lock correctness
	err := rdb.Do(ctx, "SET", "lock:y", me, "NX", "PX", 30000).Err()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadElector runs what throws its context away.
func BadElector(ctx context.Context, lock resourcelock.Interface, db *sql.DB) error {
	le, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				_, _ = db.ExecContext(ctx, plain) // want "unfencedwrite"
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	le.Run(ctx) // want "losssignal"
	return nil
}

// BadReleaseOnCancel gives the lease up while a goroutine works.
func BadReleaseOnCancel(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(lctx context.Context) {
				go func() { // want "outliveshold"
					_, _ = db.ExecContext(lctx, plain) // want "unfencedwrite"
				}()
				<-lctx.Done()
			},
			OnStoppedLeading: func() {},
		},
	})
}
