// Package tasklease has the conditions on leases, in the form in which ent generates them.
package tasklease

import (
	"time"

	"entgo.io/ent/dialect/sql"

	"fencelint.example/real/leaserows/entrow/ent/predicate"
)

// Names in the database.
const (
	Table          = "task_leases"
	FieldName      = "name"
	FieldOwner     = "owner"
	FieldExpiresAt = "expires_at"
)

// NameEQ compares the name.
func NameEQ(v string) predicate.TaskLease { return predicate.TaskLease(sql.FieldEQ(FieldName, v)) }

// OwnerEQ compares the owner.
func OwnerEQ(v string) predicate.TaskLease { return predicate.TaskLease(sql.FieldEQ(FieldOwner, v)) }

// OwnerIsNil looks for leases that nobody has.
func OwnerIsNil() predicate.TaskLease { return predicate.TaskLease(sql.FieldIsNull(FieldOwner)) }

// ExpiresAtLT compares the time.
func ExpiresAtLT(v time.Time) predicate.TaskLease {
	return predicate.TaskLease(sql.FieldLT(FieldExpiresAt, v))
}

// Or joins conditions.
func Or(ps ...predicate.TaskLease) predicate.TaskLease {
	return predicate.TaskLease(sql.OrPredicates(ps...))
}
