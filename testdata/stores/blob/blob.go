// Package blob writes objects of S3 and blobs of Azure.
package blob

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/bsm/redislock"
)

func GoodCreate(ctx context.Context, lc *redislock.Client, c *s3.Client, state []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("k1"), Body: bytes.NewReader(state), IfNoneMatch: aws.String("*")})
	return err
}

func BadFence(ctx context.Context, lc *redislock.Client, c *s3.Client, add []byte) error {
	//fencelint:lock correctness contract=fence
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("b"), Key: aws.String("k2")})
	if err != nil {
		return err
	}
	old, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("k2"), Body: bytes.NewReader(append(old, add...)), IfMatch: got.ETag}) // want "casnotfence"
	return err
}

func BadBlob(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err := lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = bb.UploadBuffer(ctx, plan, nil) // want "unfencedwrite"
	return err
}

func BadOther(ctx context.Context, bb, other *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = other.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{ // want "unprovedwrite"
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: got.LeaseID}},
	})
	return err
}

func GoodChosen(ctx context.Context, bb *blockblob.Client, id string, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, &lease.BlobClientOptions{LeaseID: to.Ptr(id)})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err = lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: lc.LeaseID()}},
	})
	return err
}
