// Package awaited waits for a lock no longer than it wants to: a goroutine acquires, and
// tells by a channel what became of it.
package awaited

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errLate = errors.New("nobody gave the lock back in time")

// Depot keeps orders.
type Depot struct {
	Mutex *concurrency.Mutex
	DB    *sql.DB
}

func (d *Depot) lock(ctx context.Context) error {
	told := make(chan error, 2)
	go func() {
		<-time.After(time.Second)
		told <- errLate
	}()
	go func() {
		//fencelint:lock correctness
		if err := d.Mutex.Lock(ctx); err != nil {
			told <- err
		} else {
			told <- nil
		}
	}()
	return <-told
}

// Bad writes after the lock was told of.
func (d *Depot) Bad(ctx context.Context) error {
	if err := d.lock(ctx); err != nil {
		return err
	}
	_, err := d.DB.ExecContext(ctx, "DELETE FROM awaited_orders WHERE done") // want "unfencedwrite"
	return errors.Join(err, d.Mutex.Unlock(ctx))
}

// BadSelect waits in the same function.
func (d *Depot) BadSelect(ctx context.Context) error {
	told := make(chan error, 1)
	go func() {
		//fencelint:lock correctness
		told <- d.Mutex.Lock(ctx)
	}()
	select {
	case err := <-told:
		if err != nil {
			return err
		}
	case <-time.After(time.Second):
		return errLate
	}
	_, err := d.DB.ExecContext(ctx, "DELETE FROM awaited_bills WHERE paid") // want "unfencedwrite"
	return errors.Join(err, d.Mutex.Unlock(ctx))
}

// Refused writes only what a refusal says: that is not the lock's.
func (d *Depot) Refused(ctx context.Context) error {
	if err := d.lock(ctx); err != nil {
		_, err = d.DB.ExecContext(ctx, "INSERT INTO awaited_refusals VALUES (1)")
		return err
	}
	return d.Mutex.Unlock(ctx)
}

// Apart has two workers tell of their end by one channel: what comes says nothing of a
// lock that was given back before.
func (d *Depot) Apart(ctx context.Context) error {
	ended := make(chan error, 2)
	go func() { ended <- d.Refused(ctx) }()
	go func() { ended <- d.DB.PingContext(ctx) }()
	if err := <-ended; err != nil {
		return err
	}
	_, err := d.DB.ExecContext(ctx, "INSERT INTO awaited_visits VALUES (1)")
	return err
}

// slow says so when something takes long, and waits for it all the same.
func slow(after time.Duration, do func() error, say func()) error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(after):
		say()
	}
	return <-ended
}

// Slow writes under a lock that a helper has a goroutine take.
func (d *Depot) Slow(ctx context.Context) error {
	err := slow(time.Second, func() error {
		//fencelint:lock correctness
		return d.Mutex.Lock(ctx)
	}, func() {})
	if err != nil {
		return err
	}
	_, err = d.DB.ExecContext(ctx, "DELETE FROM awaited_tickets WHERE used") // want "unfencedwrite"
	return errors.Join(err, d.Mutex.Unlock(ctx))
}

// Within takes and gives back the lock in what the helper runs: nothing is written in it.
func (d *Depot) Within(ctx context.Context) error {
	err := slow(time.Second, func() error {
		//fencelint:lock correctness
		if err := d.Mutex.Lock(ctx); err != nil {
			return err
		}
		return d.Mutex.Unlock(ctx)
	}, func() {})
	if err != nil {
		return err
	}
	_, err = d.DB.ExecContext(ctx, "DELETE FROM awaited_tickets_old WHERE used")
	return err
}
