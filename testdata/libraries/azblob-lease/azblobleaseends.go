package azbloblease

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
)

func ofLease(id *string) *blob.AccessConditions {
	return &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: id}}
}

// giveBack notes that nobody has the blob, and ends the lease.
func giveBack(ctx context.Context, bb *blockblob.Client, lc *lease.BlobClient, id *string) error {
	if _, err := bb.SetMetadata(ctx, nil, &blob.SetMetadataOptions{AccessConditions: ofLease(id)}); err != nil {
		return err
	}
	_, err := lc.ReleaseLease(ctx, nil)
	return err
}

// Ends gives the lease back after a refusal, and says so.
func Ends(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	if _, err := bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{AccessConditions: ofLease(got.LeaseID)}); err != nil {
		return errors.Join(err, giveBack(ctx, bb, lc, got.LeaseID))
	}
	return giveBack(ctx, bb, lc, got.LeaseID)
}

// GoesOn writes more after a refusal.
func GoesOn(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	if _, err := bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{AccessConditions: ofLease(got.LeaseID)}); err != nil { // want "rejectionignored"
		_, serr := bb.SetHTTPHeaders(ctx, blob.HTTPHeaders{}, &blob.SetHTTPHeadersOptions{AccessConditions: ofLease(got.LeaseID)})
		return errors.Join(serr, giveBack(ctx, bb, lc, got.LeaseID))
	}
	return giveBack(ctx, bb, lc, got.LeaseID)
}
