// Package vault takes the lock of the active node.
package vault

import (
	"context"
	"database/sql"
	"errors"

	"github.com/hashicorp/vault/sdk/physical"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

var errStandby = errors.New("standby")

// Fencing lets a backend that can compare the owner with each write.
func Fencing(ctx context.Context, b physical.FencingHABackend, store physical.Backend, stop <-chan struct{}) error {
	l, err := b.LockWith("core/lock", "me")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errStandby
	}
	defer l.Unlock()
	if err := b.RegisterActiveNodeLock(l); err != nil {
		return err
	}
	if err := store.Put(ctx, &physical.Entry{Key: "a", Value: []byte("b")}); err != nil { // want "unprovedwrite"
		return err
	}
	select {
	case <-lost:
		return errStandby
	default:
		return nil
	}
}

// Unfenced writes to a database, which knows nothing of it.
func Unfenced(l physical.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errStandby
	}
	go func() { <-lost }()
	defer l.Unlock()
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// NilNil takes nothing and no error for a lock, and does not listen.
func NilNil(l physical.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := l.Lock(stop); err != nil { // want "acquireignored" "losssignal"
		return err
	}
	defer l.Unlock()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}
