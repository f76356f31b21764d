// Package consul uses locks and sessions of Consul.
package consul

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/hashicorp/consul/api"
)

const (
	open   = `UPDATE stalls SET open = true WHERE id = 1`
	fenced = `UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

var errNotHeld = errors.New("not the holder")

// NilNil takes nothing and no error for a lock.
func NilNil(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop) // want "acquireignored"
	if err != nil {
		return err
	}
	defer l.Unlock()
	select {
	case <-lost:
		return errNotHeld
	default:
	}
	_, err = db.Exec(open) // want "unfencedwrite"
	return err
}

// Deaf works on for ever and never looks at the channel.
func Deaf(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop) // want "losssignal"
	if err != nil || lost == nil {
		return errors.Join(errNotHeld, err)
	}
	for {
		if _, err := db.Exec(open); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Minute)
	}
}

// Fenced reads the lock index together with its holder.
func Fenced(ctx context.Context, kv *api.KV, session string, db *sql.DB) error {
	pair := &api.KVPair{Key: "stall/1", Session: session}
	//fencelint:lock correctness
	ok, _, err := kv.Acquire(pair, nil)
	if err != nil || !ok {
		return errors.Join(errNotHeld, err)
	}
	defer kv.Release(pair, nil)
	held, _, err := kv.Get("stall/1", nil)
	if err != nil {
		return err
	}
	if held == nil || held.Session != session {
		return errNotHeld
	}
	res, err := db.ExecContext(ctx, fenced, int64(held.LockIndex))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errNotHeld, err)
	}
	return nil
}

// Unlooked tests the error of an acquisition that was refused.
func Unlooked(ctx context.Context, kv *api.KV, session string, db *sql.DB) error {
	//fencelint:lock correctness
	if _, _, err := kv.Acquire(&api.KVPair{Key: "stall/2", Session: session}, nil); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// WrongIndex presents the index of the last change, which each renewal of the value moves.
func WrongIndex(ctx context.Context, kv *api.KV, session string, db *sql.DB) error {
	//fencelint:lock correctness
	ok, _, err := kv.Acquire(&api.KVPair{Key: "barn/1", Session: session}, nil)
	if err != nil || !ok {
		return errors.Join(errNotHeld, err)
	}
	held, _, err := kv.Get("barn/1", nil)
	if err != nil {
		return err
	}
	if held == nil || held.Session != session {
		return errNotHeld
	}
	res, err := db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(held.ModifyIndex)) // want "volatiletoken"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errNotHeld, err)
	}
	return nil
}

// Shared is held by up to its limit.
func Shared(s *api.Semaphore, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := s.Acquire(stop); err != nil { // want "acquireignored" "losssignal"
		return err
	}
	defer s.Release()
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}

// Renewed drops what the renewal says.
func Renewed(ctx context.Context, kv *api.KV, ss *api.Session, session string, db *sql.DB) error {
	//fencelint:lock correctness
	ok, _, err := kv.Acquire(&api.KVPair{Key: "stall/3", Session: session}, nil)
	if err != nil || !ok {
		return errors.Join(errNotHeld, err)
	}
	ss.Renew(session, nil)             // want "renewalerror"
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Unshown reads the lock index of whoever holds the key by then.
func Unshown(ctx context.Context, kv *api.KV, session string, db *sql.DB) error {
	//fencelint:lock correctness
	ok, _, err := kv.Acquire(&api.KVPair{Key: "shed/1", Session: session}, nil)
	if err != nil || !ok {
		return errors.Join(errNotHeld, err)
	}
	held, _, err := kv.Get("shed/1", nil)
	if err != nil {
		return err
	}
	if held == nil || held.Session == "" {
		return errNotHeld
	}
	res, err := db.ExecContext(ctx, `UPDATE sheds SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(held.LockIndex)) // want "unboundcounter"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errNotHeld, err)
	}
	return nil
}
