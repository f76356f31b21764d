// Package before reads before the lock is taken, in stores without SQL, and writes objects
// under locks of two classes.
package before

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errNone = errors.New("nothing is left")

// sold reads the stock and waits then.
func sold(ctx context.Context, lc *redislock.Client, rdb *redis.Client, sku string) error {
	left, err := rdb.Get(ctx, "stock:"+sku).Int() // want "staleread"
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "sold", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	if left < 1 {
		return errNone
	}
	return rdb.Set(ctx, "stock:"+sku, left-1, 0).Err() // want "unfencedwrite"
}

// again reads once more, and a look at the lock is no guard.
func again(ctx context.Context, lc *redislock.Client, rdb *redis.Client, sku string) error {
	left, err := rdb.Get(ctx, "shelf:"+sku).Int()
	if err != nil {
		return err
	}
	if left < 1 {
		return errNone
	}
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "again", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	left, err = rdb.Get(ctx, "shelf:"+sku).Int()
	if err != nil {
		return err
	}
	if left < 1 {
		return errNone
	}
	return rdb.Set(ctx, "shelf:"+sku, left-1, 0).Err() // want "checkthenact"
}

// moved is refused where what it read has changed.
func moved(ctx context.Context, s *concurrency.Session, cli *clientv3.Client, v string) error {
	got, err := cli.Get(ctx, "/moved")
	if err != nil {
		return err
	}
	if len(got.Kvs) == 0 {
		return errNone
	}
	m := concurrency.NewMutex(s, "/locks/moved")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/moved"), "=", got.Kvs[0].ModRevision)).Then(clientv3.OpPut("/moved", v)).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errNone
	}
	return nil
}

// index owns one object.
func index(ctx context.Context, lc *redislock.Client, c *s3.Client, etag string, body []byte) error {
	//fencelint:lock correctness
	lock, err := lc.Obtain(ctx, "index", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("wares"), Key: aws.String("index"), Body: bytes.NewReader(body), IfMatch: aws.String(etag)})
	return err
}

// touch puts it under a lock that is only to save work.
func touch(ctx context.Context, lc *redislock.Client, c *s3.Client, body []byte) error {
	//fencelint:lock efficiency
	lock, err := lc.Obtain(ctx, "touch", time.Minute, nil)
	if err != nil {
		return err
	}
	defer lock.Release(context.WithoutCancel(ctx))
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("thumbs"), Key: aws.String("index"), Body: bytes.NewReader(body)})
	if err != nil {
		return err
	}
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("wares"), Key: aws.String("index"), Body: bytes.NewReader(body)}) // want "efficiencyeffect"
	return err
}
