// Package booth has the conditions on booths, in the form in which ent generates them.
package booth

import (
	"entgo.io/ent/dialect/sql"
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

// And joins conditions.
func And(ps ...predicate.Booth) predicate.Booth { return predicate.Booth(sql.AndPredicates(ps...)) }

// Or joins conditions.
func Or(ps ...predicate.Booth) predicate.Booth { return predicate.Booth(sql.OrPredicates(ps...)) }
