// Package predicate has the type of conditions.
package predicate

import "entgo.io/ent/dialect/sql"

// TaskLease is a condition on leases.
type TaskLease func(*sql.Selector)
