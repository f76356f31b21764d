// Package asked writes where the library says that this process leads.
package asked

import (
	"context"
	"database/sql"
	"time"

	"k8s.io/client-go/tools/leaderelection"
)

// Office does its work while it leads.
type Office struct {
	DB      *sql.DB
	elector *leaderelection.LeaderElector
}

// New makes an office; the work begins with the leadership.
func New(db *sql.DB, config leaderelection.LeaderElectionConfig) (*Office, error) {
	o := &Office{DB: db}
	config.Callbacks = leaderelection.LeaderCallbacks{OnStartedLeading: o.open, OnStoppedLeading: func() {}}
	elector, err := leaderelection.NewLeaderElector(config)
	o.elector = elector
	return o, err
}

func (o *Office) open(ctx context.Context) {
	_, _ = o.DB.ExecContext(ctx, `UPDATE rooms SET open = true WHERE id = 1`)
	<-ctx.Done()
}

// Run leads; the callback was registered elsewhere.
func (o *Office) Run(ctx context.Context) {
	//fencelint:lock correctness
	o.elector.Run(ctx) // want "unfencedwrite"
}

// Tick asks the library.
func (o *Office) Tick(ctx context.Context) {
	for range time.Tick(time.Second) {
		if o.elector.IsLeader() {
			_, _ = o.DB.ExecContext(ctx, `UPDATE rooms SET open = true WHERE id = 2`) // want "checknotfence"
		}
		_, _ = o.DB.ExecContext(ctx, `UPDATE hosts SET seen = now() WHERE name = 'a'`)
	}
}

// Once leads for a moment; what waits for that waits for the work, and the lock is over.
func (o *Office) Once(ctx context.Context, config leaderelection.LeaderElectionConfig) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	started := make(chan struct{})
	config.Callbacks = leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) {
			close(started)
			cancel()
		},
		OnStoppedLeading: func() {},
	}
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, config)
	<-started
	_, err := o.DB.ExecContext(ctx, `UPDATE hosts SET started = now() WHERE name = 'a'`)
	return err
}
