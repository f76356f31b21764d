// Package flags notes in memory whether the lock is had, and asks there before it works.
package flags

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

type node struct {
	rdb *redis.Client
	db  *sql.DB
	id  string

	mu     sync.Mutex
	leads  bool
	active atomic.Bool
	state  int64
}

var elected int64

func (n *node) campaign(ctx context.Context) bool {
	//fencelint:lock correctness
	return n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Val()
}

func (n *node) work(ctx context.Context) {
	n.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
}

func (n *node) atomicFlag(ctx context.Context) {
	n.active.Store(n.campaign(ctx))
	if !n.active.Load() {
		return
	}
	n.work(ctx)
}

func (n *node) eitherWay(ctx context.Context) {
	if n.campaign(ctx) {
		n.active.Store(true)
	} else {
		n.active.Store(false)
	}
	if n.active.Load() {
		n.work(ctx)
	}
}

func (n *node) number(ctx context.Context) {
	if n.campaign(ctx) {
		atomic.StoreInt64(&n.state, 1)
	} else {
		atomic.StoreInt64(&n.state, 0)
	}
	if atomic.LoadInt64(&n.state) == 1 {
		n.work(ctx)
	}
}

func isElected() bool { return atomic.LoadInt64(&elected) == 1 }

func (n *node) ofThePackage(ctx context.Context) {
	if n.campaign(ctx) {
		atomic.StoreInt64(&elected, 1)
	} else {
		atomic.StoreInt64(&elected, 0)
	}
	if !isElected() {
		return
	}
	n.work(ctx)
}

func (n *node) leading() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.leads
}

func (n *node) underMutex(ctx context.Context) {
	if n.campaign(ctx) {
		n.mu.Lock()
		n.leads = true
		n.mu.Unlock()
	} else {
		n.mu.Lock()
		n.leads = false
		n.mu.Unlock()
	}
	if n.leading() {
		n.work(ctx)
	}
}

func (n *node) setBefore(ctx context.Context) {
	n.leads = false
	if n.campaign(ctx) {
		n.leads = true
	}
	if n.leads {
		n.work(ctx)
	}
}

func (n *node) neverAsked(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.active.Store(true)
	} else {
		n.active.Store(false)
	}
	n.work(ctx)
}

func (n *node) set(to bool) { n.leads = to }

func (n *node) setByAnother(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.leads = true
	} else {
		n.leads = false
		n.set(true)
	}
	if n.leads {
		n.work(ctx)
	}
}

// What asks sets the flag itself.
func (n *node) refreshed() bool {
	n.leads = true
	return n.leads
}

func (n *node) setByWhoTells(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.leads = true
	} else {
		n.leads = false
	}
	if n.refreshed() {
		n.work(ctx)
	}
}

func (n *node) setBeforeByAnother(ctx context.Context) {
	n.leads = false
	n.set(true)
	if n.campaign(ctx) { // want "acquireignored"
		n.leads = true
	}
	if n.leads {
		n.work(ctx)
	}
}
