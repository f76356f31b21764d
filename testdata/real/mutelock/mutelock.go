// Package mutelock has a lock behind an interface whose methods say nothing: who does not
// get it never comes back.
package mutelock

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Gate lets one process in.
type Gate interface {
	Acquire()
	Release()
}

type etcdGate struct{ mu *concurrency.Mutex }

// Acquire waits for the lock.
//
//fencelint:lock correctness
func (g *etcdGate) Acquire() {
	if err := g.mu.Lock(context.Background()); err != nil {
		panic(err)
	}
}

// Release gives it back.
func (g *etcdGate) Release() { _ = g.mu.Unlock(context.Background()) }

// New makes a gate of etcd.
func New(s *concurrency.Session) Gate { return &etcdGate{concurrency.NewMutex(s, "/gate")} } // want "unfencedwrite"

// Bill writes behind the gate.
func Bill(ctx context.Context, g Gate, db *sql.DB) error {
	g.Acquire()
	defer g.Release()
	_, err := db.ExecContext(ctx, `UPDATE bills SET sent = true WHERE id = 1`)
	return err
}
