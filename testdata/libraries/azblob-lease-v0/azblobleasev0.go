// Package azblobleasev0 leases blobs of Azure by the library before the present one.
package azblobleasev0

import (
	"context"
	"database/sql"
	"strings"

	"github.com/Azure/azure-storage-blob-go/azblob"
)

const shut = `UPDATE stalls SET open = false WHERE id = 1`

// Owned writes to the blob that is leased, and the service compares the lease.
func Owned(ctx context.Context, b azblob.BlockBlobURL, plan string) error {
	//fencelint:lock correctness
	got, err := b.AcquireLease(ctx, "", 30, azblob.ModifiedAccessConditions{})
	if err != nil {
		return err
	}
	defer b.ReleaseLease(ctx, got.LeaseID(), azblob.ModifiedAccessConditions{})
	_, err = b.Upload(ctx, strings.NewReader(plan), azblob.BlobHTTPHeaders{}, nil,
		azblob.BlobAccessConditions{LeaseAccessConditions: azblob.LeaseAccessConditions{LeaseID: got.LeaseID()}},
		azblob.DefaultAccessTier, nil, azblob.ClientProvidedKeyOptions{}, azblob.ImmutabilityPolicyOptions{})
	return err
}

// Other writes to another blob, whose lease nobody asks for.
func Other(ctx context.Context, b, data azblob.BlockBlobURL, plan string) error {
	//fencelint:lock correctness
	got, err := b.AcquireLease(ctx, "", 30, azblob.ModifiedAccessConditions{})
	if err != nil {
		return err
	}
	defer b.ReleaseLease(ctx, got.LeaseID(), azblob.ModifiedAccessConditions{})
	_, err = data.Upload(ctx, strings.NewReader(plan), azblob.BlobHTTPHeaders{}, nil, azblob.BlobAccessConditions{}, // want "unfencedwrite"
		azblob.DefaultAccessTier, nil, azblob.ClientProvidedKeyOptions{}, azblob.ImmutabilityPolicyOptions{})
	return err
}

// Endless leases a container for ever.
func Endless(ctx context.Context, c azblob.ContainerURL, db *sql.DB) error {
	//fencelint:lock correctness
	got, err := c.AcquireLease(ctx, "", -1, azblob.ModifiedAccessConditions{}) // want "noexpiry"
	if err != nil {
		return err
	}
	defer c.ReleaseLease(ctx, got.LeaseID(), azblob.ModifiedAccessConditions{})
	_, err = db.ExecContext(ctx, shut) // want "unfencedwrite"
	return err
}
