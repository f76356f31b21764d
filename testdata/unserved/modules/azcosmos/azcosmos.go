// Package azcosmos has the declarations that fixtures use.
package azcosmos

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// ContainerClient writes items.
type ContainerClient struct{ id string }

// PartitionKey says where an item is.
type PartitionKey struct{ values []string }

// NewPartitionKeyString makes one.
func NewPartitionKeyString(v string) PartitionKey { return PartitionKey{[]string{v}} }

// ItemOptions change a request.
type ItemOptions struct {
	SessionToken string
	IfMatchEtag  *azcore.ETag
}

// ItemResponse is the answer.
type ItemResponse struct {
	Value []byte
	ETag  azcore.ETag
}

// PatchOperations change parts of an item.
type PatchOperations struct{ condition string }

// SetCondition says when.
func (p *PatchOperations) SetCondition(c string) { p.condition = c }

// TransactionalBatch is made together or not at all.
type TransactionalBatch struct{ n int }

// TransactionalBatchItemOptions change one operation.
type TransactionalBatchItemOptions struct{ IfMatchETag *azcore.ETag }

// TransactionalBatchOptions change the request.
type TransactionalBatchOptions struct{ SessionToken string }

// TransactionalBatchResponse is the answer.
type TransactionalBatchResponse struct{ Success bool }

// ReplaceItem adds an operation.
func (b *TransactionalBatch) ReplaceItem(id string, item []byte, o *TransactionalBatchItemOptions) {
	b.n++
}

// NewTransactionalBatch begins one.
func (c *ContainerClient) NewTransactionalBatch(pk PartitionKey) TransactionalBatch {
	return TransactionalBatch{}
}

// ExecuteTransactionalBatch sends it.
func (c *ContainerClient) ExecuteTransactionalBatch(ctx context.Context, b TransactionalBatch, o *TransactionalBatchOptions) (TransactionalBatchResponse, error) {
	return TransactionalBatchResponse{b.n > 0}, ctx.Err()
}

// CreateItem makes one that is not there.
func (c *ContainerClient) CreateItem(ctx context.Context, pk PartitionKey, item []byte, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}

// UpsertItem makes or replaces one.
func (c *ContainerClient) UpsertItem(ctx context.Context, pk PartitionKey, item []byte, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}

// ReplaceItem replaces one.
func (c *ContainerClient) ReplaceItem(ctx context.Context, pk PartitionKey, id string, item []byte, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}

// PatchItem changes parts of one.
func (c *ContainerClient) PatchItem(ctx context.Context, pk PartitionKey, id string, ops PatchOperations, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}

// DeleteItem removes one.
func (c *ContainerClient) DeleteItem(ctx context.Context, pk PartitionKey, id string, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}

// ReadItem reads one.
func (c *ContainerClient) ReadItem(ctx context.Context, pk PartitionKey, id string, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, ctx.Err()
}
