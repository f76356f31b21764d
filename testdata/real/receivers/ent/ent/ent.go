// Package ent has the builders of one entity in the form in which ent generates them.
package ent

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"fencelint.example/real/receivers/ent/ent/predicate"
)

// Mutation is ent's own.
type Mutation = ent.Mutation

type config struct{ driver dialect.Driver }

// Client gives access to the entities.
type Client struct {
	Booth *BoothClient
	Lock  *LockClient
}

// Tx is a client in a transaction.
type Tx struct {
	tx    dialect.Tx
	Booth *BoothClient
}

// Tx begins a transaction.
func (c *Client) Tx(ctx context.Context) (*Tx, error) {
	tx, err := c.Booth.driver.Tx(ctx)
	if err != nil {
		return nil, err
	}
	return &Tx{tx, &BoothClient{config{txDriver{c.Booth.driver, tx}}}}, nil
}

// txDriver runs statements in a transaction.
type txDriver struct {
	dialect.Driver
	tx dialect.Tx
}

func (d txDriver) Exec(ctx context.Context, query string, args, v any) error {
	return d.tx.Exec(ctx, query, args, v)
}

// Commit ends it.
func (tx *Tx) Commit() error { return tx.tx.Commit() }

// Rollback undoes it.
func (tx *Tx) Rollback() error { return tx.tx.Rollback() }

// BoothClient gives access to booths.
type BoothClient struct{ config }

// Update begins an update of several.
func (c *BoothClient) Update() *BoothUpdate { return &BoothUpdate{config: c.config} }

// UpdateOneID begins an update of one.
func (c *BoothClient) UpdateOneID(id int) *BoothUpdateOne {
	return &BoothUpdateOne{config: c.config, id: id}
}

// Create begins an insert.
func (c *BoothClient) Create() *BoothCreate { return &BoothCreate{config: c.config} }

// Query begins a query.
func (c *BoothClient) Query() *BoothQuery { return &BoothQuery{config: c.config} }

// Booth is the entity.
type Booth struct {
	ID    int
	Epoch int64
	Open  bool
}

// BoothQuery builds a query.
type BoothQuery struct {
	config
	ps        []predicate.Booth
	modifiers []func(*sql.Selector)
}

// Where adds conditions.
func (q *BoothQuery) Where(ps ...predicate.Booth) *BoothQuery {
	q.ps = append(q.ps, ps...)
	return q
}

// ForUpdate locks the rows that are read.
func (q *BoothQuery) ForUpdate(opts ...sql.LockOption) *BoothQuery {
	q.modifiers = append(q.modifiers, func(s *sql.Selector) { s.ForUpdate(opts...) })
	return q
}

// Only gives the one that is there.
func (q *BoothQuery) Only(ctx context.Context) (*Booth, error) {
	var out []*Booth
	if err := sqlgraph.QueryNodes(ctx, q.driver, &sqlgraph.QuerySpec{}); err != nil {
		return nil, err
	}
	return out[0], nil
}

// BoothUpdate builds an update.
type BoothUpdate struct {
	config
	ps  []predicate.Booth
	set []sqlgraph.FieldSpec
}

// Where adds conditions.
func (u *BoothUpdate) Where(ps ...predicate.Booth) *BoothUpdate {
	u.ps = append(u.ps, ps...)
	return u
}

// SetEpoch sets the epoch.
func (u *BoothUpdate) SetEpoch(v int64) *BoothUpdate {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "last_epoch", Value: v})
	return u
}

// Save runs it.
func (u *BoothUpdate) Save(ctx context.Context) (int, error) {
	return sqlgraph.UpdateNodes(ctx, u.driver, &sqlgraph.UpdateSpec{})
}

// Exec runs it.
func (u *BoothUpdate) Exec(ctx context.Context) error {
	_, err := u.Save(ctx)
	return err
}

// BoothUpdateOne builds an update of one.
type BoothUpdateOne struct {
	config
	id  int
	ps  []predicate.Booth
	set []sqlgraph.FieldSpec
}

// Where adds conditions.
func (u *BoothUpdateOne) Where(ps ...predicate.Booth) *BoothUpdateOne {
	u.ps = append(u.ps, ps...)
	return u
}

// SetEpoch sets the epoch.
func (u *BoothUpdateOne) SetEpoch(v int64) *BoothUpdateOne {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "last_epoch", Value: v})
	return u
}

// SetOpen opens or closes it.
func (u *BoothUpdateOne) SetOpen(v bool) *BoothUpdateOne {
	u.set = append(u.set, sqlgraph.FieldSpec{Column: "open", Value: v})
	return u
}

// Exec runs it.
func (u *BoothUpdateOne) Exec(ctx context.Context) error {
	return sqlgraph.UpdateNode(ctx, u.driver, &sqlgraph.UpdateSpec{})
}

// BoothCreate builds an insert.
type BoothCreate struct {
	config
	set      []sqlgraph.FieldSpec
	conflict []sql.ConflictOption
}

// SetID sets the key.
func (c *BoothCreate) SetID(id int) *BoothCreate { return c }

// SetEpoch sets the epoch.
func (c *BoothCreate) SetEpoch(v int64) *BoothCreate {
	c.set = append(c.set, sqlgraph.FieldSpec{Column: "last_epoch", Value: v})
	return c
}

// OnConflict says what happens where the row is there.
func (c *BoothCreate) OnConflict(opts ...sql.ConflictOption) *BoothUpsertOne {
	c.conflict = opts
	return &BoothUpsertOne{c}
}

// BoothUpsertOne is an insert that may update.
type BoothUpsertOne struct{ create *BoothCreate }

// UpdateNewValues updates what was to be inserted.
func (u *BoothUpsertOne) UpdateNewValues() *BoothUpsertOne {
	u.create.conflict = append(u.create.conflict, sql.ResolveWithNewValues())
	return u
}

// Exec runs it.
func (u *BoothUpsertOne) Exec(ctx context.Context) error {
	return sqlgraph.CreateNode(ctx, u.create.driver, &sqlgraph.CreateSpec{})
}
