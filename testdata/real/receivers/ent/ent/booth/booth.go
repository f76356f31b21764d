// Package booth has the conditions on booths, in the form in which ent generates them.
package booth

import (
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"fencelint.example/real/receivers/ent/ent/predicate"
)

// Names in the database.
const (
	Table      = "booths"
	FieldID    = "id"
	FieldOpen  = "open"
	FieldEpoch = "last_epoch"
)

// ID compares the key.
func ID(id int) predicate.Booth { return predicate.Booth(sql.FieldEQ(FieldID, id)) }

// OpenEQ compares whether it is open.
func OpenEQ(v bool) predicate.Booth { return predicate.Booth(sql.FieldEQ(FieldOpen, v)) }

// EpochLT compares the epoch.
func EpochLT(v int64) predicate.Booth { return predicate.Booth(sql.FieldLT(FieldEpoch, v)) }

// EpochLTE compares the epoch.
func EpochLTE(v int64) predicate.Booth { return predicate.Booth(sql.FieldLTE(FieldEpoch, v)) }

// EpochIsNil looks for booths without an epoch.
func EpochIsNil() predicate.Booth { return predicate.Booth(sql.FieldIsNull(FieldEpoch)) }

// HasTenant demands that there is a tenant.
func HasTenant() predicate.Booth {
	return predicate.Booth(func(s *sql.Selector) {
		sqlgraph.HasNeighbors(s, sqlgraph.NewStep())
	})
}

// HasTenantWith demands that there is such a tenant.
func HasTenantWith(ps ...predicate.Tenant) predicate.Booth {
	return predicate.Booth(func(s *sql.Selector) {
		sqlgraph.HasNeighborsWith(s, sqlgraph.NewStep(), func(s *sql.Selector) {
			for _, p := range ps {
				p(s)
			}
		})
	})
}

// Not turns a condition round.
func Not(p predicate.Booth) predicate.Booth { return predicate.Booth(sql.NotPredicates(p)) }

// And joins conditions.
func And(ps ...predicate.Booth) predicate.Booth { return predicate.Booth(sql.AndPredicates(ps...)) }

// Or joins conditions.
func Or(ps ...predicate.Booth) predicate.Booth { return predicate.Booth(sql.OrPredicates(ps...)) }
