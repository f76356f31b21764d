// Package models has the models of two tables in the form in which sqlboiler generates
// them.
package models

import (
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

// UpsertOptions say what an upsert does.
type UpsertOptions struct{ conflictTarget, updateSet string }

// UpsertOptionFunc is one of them.
type UpsertOptionFunc func(o *UpsertOptions)

// UpsertUpdateSet is the text behind DO UPDATE SET.
func UpsertUpdateSet(updateSet string) UpsertOptionFunc {
	return func(o *UpsertOptions) { o.updateSet = updateSet }
}
