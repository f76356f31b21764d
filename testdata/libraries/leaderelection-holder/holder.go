// Package leaderelectionholder reads the number of its lease, and ends the process if it is another's.
package leaderelectionholder

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"os"
	"time"

	"github.com/google/uuid"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type operator struct {
	db   *sql.DB
	lock resourcelock.Interface
}

func (o *operator) term(ctx context.Context) (int, error) {
	rec, _, err := o.lock.Get(ctx)
	if err != nil {
		return 0, err
	}
	if rec.HolderIdentity != o.lock.Identity() {
		return 0, errors.New("deposed")
	}
	return rec.LeaderTransitions, nil
}

func (o *operator) good(ctx context.Context) {
	t, err := o.term(ctx)
	if err != nil {
		log.Fatal(err)
	}
	res, err := o.db.ExecContext(ctx, `UPDATE phases SET phase = 'ready', term = $1 WHERE name = 'main' AND term < $1`, t)
	if err != nil {
		log.Fatal(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		log.Fatalf("deposed (%v)", err)
	}
}

func (o *operator) bad(ctx context.Context) {
	t, err := o.term(ctx)
	if err != nil {
		log.Print(err)
		rec, _, err := o.lock.Get(ctx)
		if err != nil {
			log.Fatal(err)
		}
		t = rec.LeaderTransitions
	}
	res, err := o.db.ExecContext(ctx, `UPDATE moods SET phase = 'ready', term = $1 WHERE name = 'main' AND term < $1`, t)
	if err != nil {
		log.Fatal(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		log.Fatalf("deposed (%v)", err)
	}
}

func lock(cs kubernetes.Interface, name string) (resourcelock.Interface, error) {
	return resourcelock.New(resourcelock.LeasesResourceLock, "system", name, cs.CoreV1(), cs.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: uuid.NewString()})
}

// Good runs what looks at the holder, and ends if that is another.
func Good(ctx context.Context, cs kubernetes.Interface, db *sql.DB) error {
	l, err := lock(cs, "good")
	if err != nil {
		return err
	}
	o := &operator{db: db, lock: l}
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: l, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: o.good, OnStoppedLeading: func() { os.Exit(0) }},
	})
	return nil
}

// Bad runs what looks, and goes on.
func Bad(ctx context.Context, cs kubernetes.Interface, db *sql.DB) error {
	l, err := lock(cs, "bad")
	if err != nil {
		return err
	}
	o := &operator{db: db, lock: l}
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{ // want "unboundcounter"
		Lock: l, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: o.bad, OnStoppedLeading: func() { os.Exit(0) }},
	})
	return nil
}
