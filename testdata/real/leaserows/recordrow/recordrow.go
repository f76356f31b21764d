// Package recordrow holds elections of Kubernetes by its own code.
package recordrow

import (
	"context"
	"database/sql"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Candidate may come to lead.
type Candidate struct {
	record resourcelock.Interface
	db     *sql.DB
}

func (c *Candidate) tryOrRenew(ctx context.Context) bool {
	now := metav1.Now()
	mine := resourcelock.LeaderElectionRecord{HolderIdentity: c.record.Identity(), LeaseDurationSeconds: 15, RenewTime: now, AcquireTime: now}
	old, _, err := c.record.Get(ctx)
	if err != nil {
		return c.record.Create(ctx, mine) == nil // taken
	}
	if old.HolderIdentity != c.record.Identity() && old.RenewTime.Add(15*time.Second).After(now.Time) {
		return false
	}
	return c.record.Update(ctx, mine) == nil // taken
}

func (c *Candidate) resign(ctx context.Context) error {
	return c.record.Update(ctx, resourcelock.LeaderElectionRecord{LeaseDurationSeconds: 1})
}

// Run works once it leads.
func (c *Candidate) Run(ctx context.Context) error {
	for !c.tryOrRenew(ctx) { // taken
		time.Sleep(2 * time.Second)
	}
	defer c.resign(ctx)
	_, err := c.db.ExecContext(ctx, "UPDATE jobs SET state = 'running'")
	return err
}
