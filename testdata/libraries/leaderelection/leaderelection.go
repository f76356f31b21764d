// Package leaderelection leads by a Lease of Kubernetes.
package leaderelection

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const (
	open   = `UPDATE markets SET open = true WHERE id = 1`
	fenced = `UPDATE markets SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

// Deaf throws the callback's context away.
func Deaf(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{ // want "losssignal"
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				if _, err := db.ExecContext(ctx, open); err != nil { // want "unfencedwrite"
					slog.Error("open", "err", err)
				}
			},
			OnStoppedLeading: func() { slog.Info("stopped") },
		},
	})
}

// Exits ends the process with the lease, and what was sent before may still arrive.
func Exits(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				if _, err := db.ExecContext(ctx, open); err != nil { // want "unfencedwrite"
					slog.Error("open", "err", err)
				}
			},
			OnStoppedLeading: func() { os.Exit(1) },
		},
	})
}

// Fenced reads the number of transitions in the record that shows its own name.
func Fenced(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				if err := lead(ctx, lock, db); err != nil {
					slog.Error("lead", "err", err)
					os.Exit(1)
				}
			},
			OnStoppedLeading: func() { os.Exit(1) },
		},
	})
}

func lead(ctx context.Context, lock resourcelock.Interface, db *sql.DB) error {
	rec, _, err := lock.Get(ctx)
	if err != nil {
		return err
	}
	if rec.HolderIdentity != lock.Identity() {
		return errors.New("another leads")
	}
	res, err := db.ExecContext(ctx, fenced, int64(rec.LeaderTransitions))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another leader came after"), err)
	}
	return nil
}

// Believes asks the elector of another goroutine.
func Believes(ctx context.Context, e *leaderelection.LeaderElector, db *sql.DB) error {
	if !e.IsLeader() {
		return nil
	}
	_, err := db.ExecContext(ctx, open) // want "checknotfence"
	return err
}

// Anybody reads the number of transitions and does not look at the name beside it.
func Anybody(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				rec, _, err := lock.Get(ctx)
				if err != nil {
					os.Exit(1)
				}
				res, err := db.ExecContext(ctx, `UPDATE towns SET fair = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(rec.LeaderTransitions)) // want "unboundcounter"
				if err != nil {
					os.Exit(1)
				}
				if n, err := res.RowsAffected(); err != nil || n == 0 {
					os.Exit(1)
				}
			},
			OnStoppedLeading: func() { os.Exit(1) },
		},
	})
}
