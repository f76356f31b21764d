// Package loss listens, or does not, to the end of its locks.
package loss

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/hashicorp/consul/api"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var errLost = errors.New("lost")

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

// BadLoop never asks the session.
func BadLoop(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli, concurrency.WithTTL(10))
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/a")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil { // want "losssignal"
		return err
	}
	defer m.Unlock(ctx)
	for ctx.Err() == nil {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

// GoodLoop asks it.
func GoodLoop(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/b")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	for {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		select {
		case <-s.Done():
			return errLost
		case <-time.After(time.Second):
		}
	}
}

// GoodWatcher lets a goroutine ask it.
func GoodWatcher(ctx context.Context, cli *clientv3.Client, db *sql.DB) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watch(s, cancel)
	m := concurrency.NewMutex(s, "/c")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	for {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}

func watch(s *concurrency.Session, cancel func()) {
	<-s.Done()
	cancel()
}

// GoodShort is done before long.
func GoodShort(ctx context.Context, cli *clientv3.Client, db *sql.DB, ids []int) error {
	s, err := concurrency.NewSession(cli)
	if err != nil {
		return err
	}
	defer s.Close()
	m := concurrency.NewMutex(s, "/d")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	for range ids {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// GoodHandedIn has its session from a caller.
func GoodHandedIn(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/e")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	for {
		if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}

// BadConsulLoop compares the channel with nil only, and works for ever.
func BadConsulLoop(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop) // want "losssignal"
	if err != nil || lost == nil {
		return err
	}
	for {
		if _, err := db.Exec(plain); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}

// GoodConsul waits for it.
func GoodConsul(l *api.Lock, stop <-chan struct{}, db *sql.DB) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil || lost == nil {
		return err
	}
	for {
		if _, err := db.Exec(plain); err != nil { // want "unfencedwrite"
			return err
		}
		select {
		case <-lost:
			return errLost
		case <-time.After(time.Second):
		}
	}
}

// GoodFenced does not listen, but its write is refused.
func GoodFenced(l *api.Lock, stop <-chan struct{}, ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/f")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE farms SET crop = 'rye', fence = $1 WHERE id = 2 AND fence < $1`, m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

// BadLead throws the context away.
func BadLead(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{ // want "losssignal"
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
					slog.Error("plough", "err", err)
				}
			},
			OnStoppedLeading: func() { slog.Info("stopped") },
		},
	})
}

// GoodLead ends the process on a loss.
func GoodLead(ctx context.Context, lock resourcelock.Interface, db *sql.DB) {
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				if _, err := db.ExecContext(ctx, plain); err != nil { // want "unfencedwrite"
					slog.Error("plough", "err", err)
				}
			},
			OnStoppedLeading: func() { os.Exit(1) },
		},
	})
}

// GoodEvents reads the events of its connection.
func GoodEvents(servers []string, db *sql.DB) error {
	c, events, err := zk.Connect(servers, time.Second)
	if err != nil {
		return err
	}
	go func() {
		for e := range events {
			if e.State == zk.StateExpired {
				os.Exit(1)
			}
		}
	}()
	l := zk.NewLock(c, "/locks/g", zk.WorldACL(zk.PermAll))
	//fencelint:lock correctness
	if err := l.Lock(); err != nil {
		return err
	}
	defer l.Unlock()
	_, err = db.Exec(plain) // want "unfencedwrite"
	return err
}

// BadOtherSession works in a session of its own; that of the caller, whose client it uses,
// tells nothing about the lock.
func BadOtherSession(ctx context.Context, other *concurrency.Session, db *sql.DB) error {
	own, err := concurrency.NewSession(other.Client(), concurrency.WithTTL(10))
	if err != nil {
		return err
	}
	defer own.Close()
	m := concurrency.NewMutex(own, "/locks/own")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil { // want "losssignal"
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	for {
		if _, err := db.ExecContext(ctx, `UPDATE own SET seen = now()`); err != nil { // want "unfencedwrite"
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}
