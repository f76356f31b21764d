// Package blob writes objects of S3 and blobs of Azure.
package blob

import (
	"bytes"
	"context"
	"io"
	"log"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/appendblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/pageblob"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/bsm/redislock"
	"github.com/google/uuid"
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

// leaseOptions are the options of plans, by their names.
var leaseOptions = map[string]*lease.BlobClientOptions{}

// SetOptions sets them.
func SetOptions(name string, o *lease.BlobClientOptions) { leaseOptions[name] = o }

// HiddenChosen has a lease whose id may be that of others.
func HiddenChosen(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, leaseOptions["weekly"])
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err = lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{ // want "unprovedwrite"
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: lc.LeaseID()}},
	})
	return err
}

// AnyTag demands a version, and any will do.
func AnyTag(ctx context.Context, lc *redislock.Client, bb *blockblob.Client, plan []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:tag", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{ // want "unfencedwrite"
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: to.Ptr(azcore.ETagAny)}},
	})
	return err
}

// ReadTag demands the version that was read.
func ReadTag(ctx context.Context, lc *redislock.Client, bb *blockblob.Client, add []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:tag", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	got, err := bb.DownloadStream(ctx, nil)
	if err != nil {
		return err
	}
	old, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	_, err = bb.UploadBuffer(ctx, append(old, add...), &blockblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: got.ETag}},
	})
	return err
}

// OnceBlob is taken once.
func OnceBlob(ctx context.Context, lc *redislock.Client, c *azblob.Client, order string, plan []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:once", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.UploadBuffer(ctx, "orders", order, plan, &azblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)}},
	})
	return err
}

// RandomBlob is refused by nobody.
func RandomBlob(ctx context.Context, lc *redislock.Client, c *azblob.Client, plan []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:once", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.UploadBuffer(ctx, "orders", uuid.NewString(), plan, &azblob.UploadBufferOptions{ // want "unfencedwrite"
		AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)}},
	})
	return err
}

// SameLease gives the lease an id that every owner has.
func SameLease(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, &lease.BlobClientOptions{LeaseID: to.Ptr("00000000-0000-0000-0000-000000000001")})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if _, err = lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{ // want "identityreused"
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: lc.LeaseID()}},
	})
	return err
}

// Named writes the leased blob by its names; NamedOther another one.
func Named(ctx context.Context, c *azblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(c.ServiceClient().NewContainerClient("plans").NewBlobClient("a"), nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = c.UploadBuffer(ctx, "plans", "a", plan, &azblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: got.LeaseID}},
	})
	return err
}

func NamedOther(ctx context.Context, c *azblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(c.ServiceClient().NewContainerClient("plans").NewBlobClient("a"), nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	defer lc.ReleaseLease(context.WithoutCancel(ctx), nil)
	_, err = c.UploadBuffer(ctx, "plans", "b", plan, &azblob.UploadBufferOptions{ // want "unprovedwrite"
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: got.LeaseID}},
	})
	return err
}

// AtEnd adds behind what it has read; AtAnyEnd wherever the end is.
func AtEnd(ctx context.Context, lc *redislock.Client, ab *appendblob.Client, length int64, line io.ReadSeekCloser) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:log", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = ab.AppendBlock(ctx, line, &appendblob.AppendBlockOptions{AppendPositionAccessConditions: &appendblob.AppendPositionAccessConditions{AppendPosition: &length}})
	return err
}

func AtAnyEnd(ctx context.Context, lc *redislock.Client, ab *appendblob.Client, line io.ReadSeekCloser) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:log", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = ab.AppendBlock(ctx, line, nil) // want "unfencedwrite"
	return err
}

// Pages demands a sequence number that a request of its own raises; AnyPages none.
func Pages(ctx context.Context, lc *redislock.Client, pb *pageblob.Client, number int64, page io.ReadSeekCloser) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:pages", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = pb.UploadPages(ctx, page, blob.HTTPRange{Count: 512}, &pageblob.UploadPagesOptions{ // want "unprovedwrite"
		SequenceNumberAccessConditions: &pageblob.SequenceNumberAccessConditions{IfSequenceNumberLessThanOrEqualTo: &number},
	})
	return err
}

func AnyPages(ctx context.Context, lc *redislock.Client, pb *pageblob.Client, page io.ReadSeekCloser) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:pages", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = pb.UploadPages(ctx, page, blob.HTTPRange{Count: 512}, nil) // want "unfencedwrite"
	return err
}

// AnyObject demands a version, and any will do; RandomObject is refused by nobody.
func AnyObject(ctx context.Context, lc *redislock.Client, c *s3.Client, state []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("k3"), Body: bytes.NewReader(state), IfMatch: aws.String("*")}) // want "unfencedwrite"
	return err
}

func RandomObject(ctx context.Context, lc *redislock.Client, c *s3.Client, state []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("runs/" + uuid.NewString()), Body: bytes.NewReader(state), IfNoneMatch: aws.String("*")}) // want "unfencedwrite"
	return err
}

// Deleted removes the version that was read; DeletedAny whatever there is.
func Deleted(ctx context.Context, lc *redislock.Client, c *s3.Client) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	got, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("b"), Key: aws.String("k4")})
	if err != nil {
		return err
	}
	_, err = c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("b"), Key: aws.String("k4"), IfMatch: got.ETag})
	return err
}

func DeletedAny(ctx context.Context, lc *redislock.Client, c *s3.Client) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("b"), Key: aws.String("k5")}) // want "unfencedwrite"
	return err
}

// Swallowed takes a refusal for success.
func Swallowed(ctx context.Context, lc *redislock.Client, c *s3.Client, state []byte, tag *string) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:state", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	if _, err = c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("b"), Key: aws.String("k6"), Body: bytes.NewReader(state), IfMatch: tag}); err != nil { // want "rejectionignored"
		log.Print(err)
	}
	return nil
}
