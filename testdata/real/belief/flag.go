// Package belief leads in one goroutine and writes in others: all that they have of the
// lock is what the leader loop keeps for them.
package belief

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrNotLeader says that another process leads.
var ErrNotLeader = errors.New("another process leads")

// Depot pays orders while it leads.
type Depot struct {
	Client *clientv3.Client
	DB     *sql.DB
	Name   string

	leader atomic.Bool
	warm   atomic.Bool // somebody looked at the orders

	mu    sync.Mutex
	state int
	epoch int64
}

const (
	follows = iota
	leads
)

// Campaign leads until the session ends.
func (d *Depot) Campaign(ctx context.Context) error {
	session, err := concurrency.NewSession(d.Client)
	if err != nil {
		return err
	}
	defer session.Close()
	election := concurrency.NewElection(session, "/depot")
	//fencelint:lock correctness
	if err := election.Campaign(ctx, d.Name); err != nil {
		return err
	}
	d.leader.Store(true)
	d.become(leads)
	d.mu.Lock()
	d.epoch = election.Rev()
	d.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-session.Done():
	}
	d.leader.Store(false)
	d.become(follows)
	return ctx.Err()
}

func (d *Depot) become(state int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state = state
}

// IsLeader tells what this process believes.
func (d *Depot) IsLeader() bool { return d.leader.Load() }

func (d *Depot) required() error {
	if !d.IsLeader() {
		return ErrNotLeader
	}
	return nil
}

// Tick asks the flag itself.
func (d *Depot) Tick(ctx context.Context) {
	for range time.Tick(time.Second) {
		if d.leader.Load() {
			_, _ = d.DB.ExecContext(ctx, `UPDATE orders SET state = 'paid' WHERE id = 1`) // want "checknotfence"
		}
		_, _ = d.DB.ExecContext(ctx, `UPDATE hosts SET seen = now() WHERE name = 'a'`)
	}
}

// Pay returns early.
func (d *Depot) Pay(ctx context.Context) error {
	if !d.IsLeader() {
		return ErrNotLeader
	}
	_, err := d.DB.ExecContext(ctx, `UPDATE orders SET state = 'paid' WHERE id = 2`) // want "checknotfence"
	return err
}

// Refund asks a function that fails.
func (d *Depot) Refund(ctx context.Context) error {
	if err := d.required(); err != nil {
		return err
	}
	return d.refund(ctx) // want "checknotfence"
}

func (d *Depot) refund(ctx context.Context) error {
	_, err := d.DB.ExecContext(ctx, `UPDATE orders SET state = 'refunded' WHERE id = 3`)
	return err
}

// Ship compares a state that is set by a setter.
func (d *Depot) Ship(ctx context.Context) error {
	d.mu.Lock()
	state := d.state
	d.mu.Unlock()
	if state != leads {
		return ErrNotLeader
	}
	_, err := d.DB.ExecContext(ctx, `UPDATE orders SET state = 'shipped' WHERE id = 4`) // want "checknotfence"
	return err
}

// Bill sends the epoch along, and the row compares it.
func (d *Depot) Bill(ctx context.Context) error {
	if !d.IsLeader() {
		return ErrNotLeader
	}
	d.mu.Lock()
	epoch := d.epoch
	d.mu.Unlock()
	res, err := d.DB.ExecContext(ctx, `UPDATE bills SET state = 'sent', epoch = $1 WHERE id = 5 AND epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrNotLeader)
	}
	return nil
}

// Warm is set by anybody, and says nothing of a lock.
func (d *Depot) Warm() { d.warm.Store(true) }

// Read writes what needs no lock.
func (d *Depot) Read(ctx context.Context) error {
	if d.leader.Load() {
		d.warm.Store(true)
	}
	if d.warm.Load() {
		_, err := d.DB.ExecContext(ctx, `UPDATE visits SET n = n + 1 WHERE id = 6`)
		return err
	}
	return nil
}
