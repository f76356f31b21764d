// Package aztables has the declarations that fixtures use.
package aztables

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Client writes entities.
type Client struct{ name string }

// UpdateEntityOptions change a request.
type UpdateEntityOptions struct{ IfMatch *azcore.ETag }

// DeleteEntityOptions change a request.
type DeleteEntityOptions struct{ IfMatch *azcore.ETag }

// AddEntityOptions change a request.
type AddEntityOptions struct{ Format string }

// UpsertEntityOptions change a request.
type UpsertEntityOptions struct{ Format string }

// SubmitTransactionOptions change a request.
type SubmitTransactionOptions struct{ RequestID *string }

// GetEntityOptions change a request.
type GetEntityOptions struct{ Format string }

// EntityResponse is the answer.
type EntityResponse struct {
	ETag  azcore.ETag
	Value []byte
}

// TransactionType says what an action does.
type TransactionType string

// The actions.
const (
	TransactionTypeAdd           TransactionType = "add"
	TransactionTypeUpdateReplace TransactionType = "updatereplace"
	TransactionTypeDelete        TransactionType = "delete"
)

// TransactionAction is one of several.
type TransactionAction struct {
	ActionType TransactionType
	Entity     []byte
	IfMatch    *azcore.ETag
}

// AddEntity makes one that is not there.
func (c *Client) AddEntity(ctx context.Context, entity []byte, o *AddEntityOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}

// UpdateEntity changes one.
func (c *Client) UpdateEntity(ctx context.Context, entity []byte, o *UpdateEntityOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}

// UpsertEntity makes or changes one.
func (c *Client) UpsertEntity(ctx context.Context, entity []byte, o *UpsertEntityOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}

// DeleteEntity removes one.
func (c *Client) DeleteEntity(ctx context.Context, partition, row string, o *DeleteEntityOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}

// GetEntity reads one.
func (c *Client) GetEntity(ctx context.Context, partition, row string, o *GetEntityOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}

// SubmitTransaction sends several together.
func (c *Client) SubmitTransaction(ctx context.Context, actions []TransactionAction, o *SubmitTransactionOptions) (EntityResponse, error) {
	return EntityResponse{}, ctx.Err()
}
