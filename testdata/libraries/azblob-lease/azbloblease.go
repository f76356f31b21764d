// Package azbloblease leases blobs and containers of Azure.
package azbloblease

import (
	"context"
	"database/sql"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Owned writes to the blob that is leased, and the service compares the lease.
func Owned(ctx context.Context, bb *blockblob.Client, plan []byte) error {
	lc, err := lease.NewBlobClient(bb, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	got, err := lc.AcquireLease(ctx, 30, nil)
	if err != nil {
		return err
	}
	defer lc.ReleaseLease(ctx, nil)
	_, err = bb.UploadBuffer(ctx, plan, &blockblob.UploadBufferOptions{
		AccessConditions: &blob.AccessConditions{LeaseAccessConditions: &blob.LeaseAccessConditions{LeaseID: got.LeaseID}},
	})
	return err
}

// Elsewhere writes to a database, which knows nothing of it.
func Elsewhere(ctx context.Context, lc *lease.BlobClient, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(ctx, nil)
	lc.RenewLease(ctx, nil)             // want "renewalerror"
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Endless leases a container for ever.
func Endless(ctx context.Context, lc *lease.ContainerClient, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := lc.AcquireLease(ctx, -1, nil); err != nil { // want "noexpiry"
		return err
	}
	defer lc.ReleaseLease(ctx, nil)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Broken takes the lease from whoever has it.
func Broken(ctx context.Context, lc *lease.BlobClient, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := lc.BreakLease(ctx, &lease.BlobBreakOptions{BreakPeriod: to.Ptr(int32(0))}); err != nil { // want "lockstolen"
		return err
	}
	//fencelint:lock correctness
	if _, err := lc.AcquireLease(ctx, 30, nil); err != nil {
		return err
	}
	defer lc.ReleaseLease(ctx, nil)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}
