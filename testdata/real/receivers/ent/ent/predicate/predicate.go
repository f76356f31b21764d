// Package predicate has the types of conditions.
package predicate

import "entgo.io/ent/dialect/sql"

// Booth is a condition on booths.
type Booth func(*sql.Selector)

// Tenant is a condition on tenants.
type Tenant func(*sql.Selector)
