// Package runner works under a lock of a service, and imports neither lock nor store.
package runner

import (
	"context"

	"fencelint.example/real/leased/locks"
)

// Runner runs jobs.
type Runner struct {
	locks locks.Locks
	local locks.Local
	name  string
}

// New makes a runner.
func New(url, name string, log locks.Logger) *Runner {
	return &Runner{locks: locks.Dial(url), local: locks.NewLocal(log), name: name}
}

// Run runs a job under the lock of the service.
func (r *Runner) Run(ctx context.Context, job func(context.Context) error) error {
	if _, err := r.locks.Lock(ctx, "jobs", r.name); err != nil { // open
		return err
	}
	defer r.locks.Release(context.WithoutCancel(ctx), "jobs", r.name)
	return job(ctx)
}

// Alone runs a job while no other goroutine does.
func (r *Runner) Alone(ctx context.Context, job func(context.Context) error) error {
	if err := r.local.Lock(ctx, "jobs"); err != nil {
		return err
	}
	defer r.local.Release(ctx, "jobs")
	return job(ctx)
}
