package ent

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"fencelint.example/real/receivers/ent/ent/predicate"
)

// CreateBulk begins an insert of many.
func (c *BoothClient) CreateBulk(builders ...*BoothCreate) *BoothCreateBulk {
	return &BoothCreateBulk{config: c.config, builders: builders}
}

// BoothCreateBulk builds an insert of many.
type BoothCreateBulk struct {
	config
	builders []*BoothCreate
	conflict []sql.ConflictOption
}

// Save runs it.
func (b *BoothCreateBulk) Save(ctx context.Context) ([]*Booth, error) {
	return nil, sqlgraph.BatchCreate(ctx, b.driver, &sqlgraph.BatchCreateSpec{})
}

// OnConflict says what happens where rows are there.
func (b *BoothCreateBulk) OnConflict(opts ...sql.ConflictOption) *BoothUpsertBulk {
	b.conflict = opts
	return &BoothUpsertBulk{b}
}

// BoothUpsertBulk is an insert of many that may update.
type BoothUpsertBulk struct{ create *BoothCreateBulk }

// UpdateNewValues updates what was to be inserted.
func (u *BoothUpsertBulk) UpdateNewValues() *BoothUpsertBulk {
	u.create.conflict = append(u.create.conflict, sql.ResolveWithNewValues())
	return u
}

// Exec runs it.
func (u *BoothUpsertBulk) Exec(ctx context.Context) error {
	return sqlgraph.BatchCreate(ctx, u.create.driver, &sqlgraph.BatchCreateSpec{})
}

// Delete begins a deletion.
func (c *BoothClient) Delete() *BoothDelete { return &BoothDelete{config: c.config} }

// BoothDelete builds a deletion.
type BoothDelete struct {
	config
	ps []predicate.Booth
}

// Where adds conditions.
func (d *BoothDelete) Where(ps ...predicate.Booth) *BoothDelete {
	d.ps = append(d.ps, ps...)
	return d
}

// Exec runs it.
func (d *BoothDelete) Exec(ctx context.Context) (int, error) {
	return sqlgraph.DeleteNodes(ctx, d.driver, &sqlgraph.DeleteSpec{})
}
