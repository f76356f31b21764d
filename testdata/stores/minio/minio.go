// Package minio writes objects by another client of S3.
package minio

import (
	"bytes"
	"context"
	"time"

	"github.com/bsm/redislock"
	"github.com/minio/minio-go/v7"
)

func held(ctx context.Context, lc *redislock.Client, do func() error) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:objects", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return do()
}

// Plain overwrites what is there.
func Plain(ctx context.Context, lc *redislock.Client, c *minio.Client, state []byte) error {
	return held(ctx, lc, func() error {
		_, err := c.PutObject(ctx, "b", "a", bytes.NewReader(state), int64(len(state)), minio.PutObjectOptions{}) // want "unfencedwrite"
		return err
	})
}

// Read demands the version that was read.
func Read(ctx context.Context, lc *redislock.Client, c *minio.Client, state []byte, tag string) error {
	return held(ctx, lc, func() error {
		opts := minio.PutObjectOptions{ContentType: "text/plain"}
		opts.SetMatchETag(tag)
		_, err := c.PutObject(ctx, "b", "b", bytes.NewReader(state), int64(len(state)), opts)
		return err
	})
}

// Once is taken once.
func Once(ctx context.Context, lc *redislock.Client, c *minio.Client, state []byte, order string) error {
	return held(ctx, lc, func() error {
		var opts minio.PutObjectOptions
		opts.SetMatchETagExcept("*")
		_, err := c.PutObject(ctx, "b", "orders/"+order, bytes.NewReader(state), int64(len(state)), opts)
		return err
	})
}

// Removed deletes whatever there is.
func Removed(ctx context.Context, lc *redislock.Client, c *minio.Client) error {
	return held(ctx, lc, func() error {
		return c.RemoveObject(ctx, "b", "c", minio.RemoveObjectOptions{}) // want "unfencedwrite"
	})
}

// Perhaps demands a version on one way only.
func Perhaps(ctx context.Context, lc *redislock.Client, c *minio.Client, state []byte, tag string, sure bool) error {
	return held(ctx, lc, func() error {
		opts := minio.PutObjectOptions{}
		if sure {
			opts.SetMatchETag(tag)
		}
		_, err := c.PutObject(ctx, "b", "d", bytes.NewReader(state), int64(len(state)), opts) // want "unfencedwrite"
		return err
	})
}

// Any demands a version, and any will do.
func Any(ctx context.Context, lc *redislock.Client, c *minio.Client, state []byte) error {
	return held(ctx, lc, func() error {
		opts := minio.PutObjectOptions{}
		opts.SetMatchETag("*")
		_, err := c.PutObject(ctx, "b", "e", bytes.NewReader(state), int64(len(state)), opts) // want "unfencedwrite"
		return err
	})
}
