// Package leasedoc keeps leases in documents that are replaced by their version.
package leasedoc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// ErrTaken says that another has the lease.
var ErrTaken = errors.New("another has the lease")

// Lease is what a document says.
type Lease struct {
	Owner     string    `json:"owner"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Bucket keeps a lease in an object.
type Bucket struct {
	c  *s3.Client
	me string
}

func (b *Bucket) read(ctx context.Context) (Lease, *string, error) {
	got, err := b.c.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("b"), Key: aws.String("work.lease")})
	if err != nil {
		return Lease{}, nil, err
	}
	defer got.Body.Close()
	var l Lease
	if err := json.NewDecoder(got.Body).Decode(&l); err != nil {
		return Lease{}, nil, err
	}
	return l, got.ETag, nil
}

// Acquire takes the lease when its time is over.
//
//fencelint:lock correctness
func (b *Bucket) Acquire(ctx context.Context) error {
	l, tag, err := b.read(ctx)
	if err != nil {
		return err
	}
	if l.Owner != b.me && time.Now().Before(l.ExpiresAt) {
		return ErrTaken
	}
	data, err := json.Marshal(Lease{Owner: b.me, ExpiresAt: time.Now().Add(time.Minute)})
	if err != nil {
		return err
	}
	_, err = b.c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("work.lease"), Body: bytes.NewReader(data), IfMatch: tag})
	return err
}

// Work writes while it has the lease.
func (b *Bucket) Work(ctx context.Context, plan []byte) error {
	if err := b.Acquire(ctx); err != nil {
		return err
	}
	_, err := b.c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("plan"), Body: bytes.NewReader(plan)}) // want "unfencedwrite"
	return err
}

// Blob keeps a lease in a blob.
type Blob struct {
	c  *blockblob.Client
	me string
}

//fencelint:lock correctness
func (b *Blob) tryLock(ctx context.Context) error {
	got, err := b.c.DownloadStream(ctx, nil)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	var l Lease
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	if l.Owner != "" && time.Now().Before(l.ExpiresAt) {
		return ErrTaken
	}
	data, err := json.Marshal(&Lease{Owner: b.me, ExpiresAt: time.Now().Add(time.Minute)})
	if err != nil {
		return err
	}
	_, err = b.c.UploadBuffer(ctx, data, matching(got.ETag))
	return err
}

func (b *Blob) unlock(ctx context.Context, tag *azcore.ETag) error {
	data, err := json.Marshal(&Lease{})
	if err != nil {
		return err
	}
	_, err = b.c.UploadBuffer(ctx, data, matching(tag))
	return err
}

func matching(tag *azcore.ETag) *blockblob.UploadBufferOptions {
	return &blockblob.UploadBufferOptions{AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: tag}}}
}

// Work writes another blob while it has the lease.
func (b *Blob) Work(ctx context.Context, other *blockblob.Client, plan []byte) error {
	if err := b.tryLock(ctx); err != nil {
		return err
	}
	_, err := other.UploadBuffer(ctx, plan, nil) // want "unfencedwrite"
	return err
}

// Order is a document that is no lock.
type Order struct {
	ID       string    `json:"id"`
	Owner    string    `json:"owner"`
	Due      time.Time `json:"due"`
	Price    int       `json:"price"`
	Currency string    `json:"currency"`
	Text     string    `json:"text"`
}

// Save replaces it by its version.
func Save(ctx context.Context, c *s3.Client, o Order, tag string) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("orders/" + o.ID), Body: bytes.NewReader(data), IfMatch: aws.String(tag)})
	return err
}
