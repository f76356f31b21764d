// Package s3 locks by an object that must not exist.
package s3

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c *s3.Client, db *sql.DB) error {
	//fencelint:lock correctness
	got, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/stall"), Body: bytes.NewReader([]byte(uuid.NewString())), IfNoneMatch: aws.String("*")})
	if err != nil {
		return err
	}
	defer c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/stall"), IfMatch: got.ETag})
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Blind deletes whatever is there, and does not look whether it was granted.
func Blind(ctx context.Context, c *s3.Client, db *sql.DB) error {
	//fencelint:lock correctness
	c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/barn"), Body: bytes.NewReader([]byte(uuid.NewString())), IfNoneMatch: aws.String("*")}) // want "acquireignored"
	defer c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/barn")})                                                                    // want "unsaferelease"
	_, err := db.ExecContext(ctx, open)                                                                                                                                            // want "unfencedwrite"
	return err
}

// Tagged presents the tag, which has no order.
func Tagged(ctx context.Context, c *s3.Client, db *sql.DB) error {
	//fencelint:lock correctness
	got, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/mill"), Body: bytes.NewReader([]byte(uuid.NewString())), IfNoneMatch: aws.String("*")})
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE mills SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, aws.ToString(got.ETag)) // want "opaquetoken"
	return err
}

// Once writes an object that is not there, which is no lock.
func Once(ctx context.Context, c *s3.Client, id string) error {
	_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("seen"), Key: aws.String(id), IfNoneMatch: aws.String("*")})
	return err
}

// Yard has its lock in two places.
type Yard struct {
	c  *s3.Client
	mu *concurrency.Mutex
}

//fencelint:lock correctness
func (y *Yard) lockObject(ctx context.Context) (*string, error) {
	got, err := y.c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/yard"), Body: bytes.NewReader([]byte(uuid.NewString())), IfNoneMatch: aws.String("*")})
	if err != nil {
		return nil, err
	}
	return got.ETag, nil
}

func (y *Yard) unlockObject(ctx context.Context, tag *string) error {
	_, err := y.c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("locks"), Key: aws.String("lock/yard"), IfMatch: tag})
	return err
}

// Plan has the object and a mutex: to give the object back is no work that the mutex
// protects.
func (y *Yard) Plan(ctx context.Context) error {
	//fencelint:lock correctness
	if err := y.mu.Lock(ctx); err != nil {
		return err
	}
	defer y.mu.Unlock(ctx)
	tag, err := y.lockObject(ctx)
	if err != nil {
		return err
	}
	unlock := func(err error) error { return errors.Join(err, y.unlockObject(ctx, tag)) }
	if _, err := y.c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("yards"), Key: aws.String("plan")}); err != nil { // want "unfencedwrite"
		return unlock(err)
	}
	return unlock(nil)
}
