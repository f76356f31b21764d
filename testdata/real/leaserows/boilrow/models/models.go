// Package models has the model of one table in the form in which sqlboiler generates it.
package models

import (
	"context"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/drivers"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
)

var dialect = drivers.Dialect{LQ: 0x22, RQ: 0x22, UseIndexPlaceholders: true}

// NewQuery begins a query.
func NewQuery(mods ...qm.QueryMod) *queries.Query {
	q := &queries.Query{}
	queries.SetDialect(q, &dialect)
	qm.Apply(q, mods...)
	return q
}

// M holds columns and their values.
type M map[string]interface{}

type taskLeaseQuery struct{ *queries.Query }

// TaskLeases begins a query of the table.
func TaskLeases(mods ...qm.QueryMod) taskLeaseQuery {
	mods = append(mods, qm.From("\"task_leases\""))
	q := NewQuery(mods...)
	return taskLeaseQuery{q}
}

// UpdateAll writes the rows of the query.
func (q taskLeaseQuery) UpdateAll(ctx context.Context, exec boil.ContextExecutor, cols M) (int64, error) {
	queries.SetUpdate(q.Query, cols)
	result, err := q.Query.ExecContext(ctx, exec)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
