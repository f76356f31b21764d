// Package ent has the builders of one entity in the form in which ent generates them.
package ent

import (
	"context"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/sqlgraph"

	"fencelint.example/real/leaserows/entrow/ent/predicate"
)

// Mutation is ent's own.
type Mutation = ent.Mutation

type config struct{ driver dialect.Driver }

// Client gives access to the entities.
type Client struct{ TaskLease *TaskLeaseClient }

// TaskLeaseClient gives access to leases.
type TaskLeaseClient struct{ config }

// Update begins an update of several.
func (c *TaskLeaseClient) Update() *TaskLeaseUpdate { return &TaskLeaseUpdate{config: c.config} }

// TaskLeaseUpdate builds an update.
type TaskLeaseUpdate struct {
	config
	ps  []predicate.TaskLease
	set []sqlgraph.FieldSpec
}

// Where adds conditions.
func (u *TaskLeaseUpdate) Where(ps ...predicate.TaskLease) *TaskLeaseUpdate {
	u.ps = append(u.ps, ps...)
	return u
}

// SetOwner sets the owner.
func (u *TaskLeaseUpdate) SetOwner(v string) *TaskLeaseUpdate {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "owner", Value: v})
	return u
}

// ClearOwner takes the owner out.
func (u *TaskLeaseUpdate) ClearOwner() *TaskLeaseUpdate {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "owner"})
	return u
}

// SetExpiresAt sets the time.
func (u *TaskLeaseUpdate) SetExpiresAt(v time.Time) *TaskLeaseUpdate {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "expires_at", Value: v})
	return u
}

// Save runs it.
func (u *TaskLeaseUpdate) Save(ctx context.Context) (int, error) {
	return sqlgraph.UpdateNodes(ctx, u.driver, &sqlgraph.UpdateSpec{})
}
