// Package believed writes where another package says that this process leads.
package believed

import (
	"context"
	"database/sql"

	"fencelint.example/lease/believed/role"
)

// Bad asks a package variable.
func Bad(ctx context.Context, db *sql.DB) error {
	if !role.IsLeader() {
		return nil
	}
	_, err := db.ExecContext(ctx, "UPDATE depot_orders SET paid = TRUE") // want "checknotfence"
	return err
}

// Job asks the node that it has.
type Job struct {
	Node *role.Node
	DB   *sql.DB
}

// Run is called by a timer.
func (j *Job) Run(ctx context.Context) {
	if j.Node.IsLeader() {
		j.pay(ctx) // want "checknotfence"
	}
}

func (j *Job) pay(ctx context.Context) {
	j.DB.ExecContext(ctx, "UPDATE depot_bills SET paid = TRUE")
}

// Other asks the second flag.
func (j *Job) Other(ctx context.Context) {
	if j.Node.Leads() {
		j.DB.ExecContext(ctx, "DELETE FROM depot_parcels") // want "checknotfence"
	}
}

// leads is how a part of the program is told.
type leads interface{ IsLeader() bool }

// Part has it by an interface.
type Part struct {
	Role leads
	DB   *sql.DB
}

// NewPart makes a part.
func NewPart(n *role.Node, db *sql.DB) *Part { return &Part{Role: n, DB: db} } // want "unfencedwrite"

// Run is called by a timer: the finding stands where the role is handed over.
func (p *Part) Run(ctx context.Context) {
	if p.Role.IsLeader() {
		p.DB.ExecContext(ctx, "DELETE FROM depot_letters")
	}
}
