// Package s3 locks by an object that must not exist.
package s3

import (
	"bytes"
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/uuid"
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
