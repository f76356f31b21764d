// Package lockblob keeps a lock in an object that is made only where there is none.
package lockblob

import (
	"bytes"
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/minio/minio-go/v7"
)

// Azure keeps a plan, and a lock beside it.
type Azure struct {
	c        *azblob.Client
	lockName string
}

//fencelint:lock correctness
func (a *Azure) lock(ctx context.Context, owner string) error {
	_, err := a.c.UploadBuffer(ctx, "plans", a.lockName, []byte(owner), &azblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)}},
	})
	return err
}

func (a *Azure) unlock(ctx context.Context) error {
	_, err := a.c.DeleteBlob(ctx, "plans", a.lockName, nil)
	return err
}

// Plan writes while the blob is there.
func (a *Azure) Plan(ctx context.Context, owner string, plan []byte) error {
	if err := a.lock(ctx, owner); err != nil {
		return err
	}
	defer a.unlock(ctx)
	_, err := a.c.UploadBuffer(ctx, "plans", "next", plan, nil) // want "unfencedwrite"
	return err
}

// Minio keeps a plan, and a lock beside it.
type Minio struct {
	c        *minio.Client
	lockName string
}

//fencelint:lock correctness
func (m *Minio) lock(ctx context.Context, owner string) error {
	var opts minio.PutObjectOptions
	opts.SetMatchETagExcept("*")
	_, err := m.c.PutObject(ctx, "plans", m.lockName, bytes.NewReader([]byte(owner)), int64(len(owner)), opts)
	return err
}

func (m *Minio) unlock(ctx context.Context) error {
	return m.c.RemoveObject(ctx, "plans", m.lockName, minio.RemoveObjectOptions{})
}

// Plan writes while the object is there.
func (m *Minio) Plan(ctx context.Context, owner string, plan []byte) error {
	if err := m.lock(ctx, owner); err != nil {
		return err
	}
	defer m.unlock(ctx)
	_, err := m.c.PutObject(ctx, "plans", "next", bytes.NewReader(plan), int64(len(plan)), minio.PutObjectOptions{}) // want "unfencedwrite"
	return err
}

// Report makes an object once: that is no lock.
func (m *Minio) Report(ctx context.Context, day string, text []byte) error {
	var opts minio.PutObjectOptions
	opts.SetMatchETagExcept("*")
	_, err := m.c.PutObject(ctx, "reports", day, bytes.NewReader(text), int64(len(text)), opts)
	return err
}
