// Package leasemap leases shards one by one, and keeps the leases in a map that other methods
// read.
package leasemap

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// lease is that of one shard.
type lease struct {
	id      string
	rev     int64
	expires time.Time
	mutex   *concurrency.Mutex
}

// Worker works on the shards that it has leased.
type Worker struct {
	db      *sql.DB
	session *concurrency.Session

	mu     sync.Mutex
	leases map[string]*lease
	seen   map[string]*lease
}

// Take leases a shard.
func (w *Worker) Take(ctx context.Context, shard string) error {
	m := concurrency.NewMutex(w.session, "/shards/"+shard)
	//fencelint:lock correctness
	if err := m.TryLock(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leases[shard] = &lease{id: uuid.NewString(), rev: m.Header().Revision, expires: time.Now().Add(time.Minute), mutex: m}
	return nil
}

// Drop gives it back.
func (w *Worker) Drop(ctx context.Context, shard string) error {
	w.mu.Lock()
	l := w.leases[shard]
	delete(w.leases, shard)
	w.mu.Unlock()
	if l == nil {
		return nil
	}
	return l.mutex.Unlock(ctx)
}

func (w *Worker) lease(shard string) (*lease, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l, ok := w.leases[shard]
	return l, ok
}

// Write writes where the shard is leased.
func (w *Worker) Write(ctx context.Context, shard string) error {
	l, ok := w.lease(shard)
	if !ok {
		return nil
	}
	_, err := w.db.ExecContext(ctx, "UPDATE shards SET owner = $1 WHERE name = $2", l.id, shard) // want "checknotfence"
	return err
}

// Fenced sends the revision along.
func (w *Worker) Fenced(ctx context.Context, shard string) error {
	w.mu.Lock()
	l := w.leases[shard]
	w.mu.Unlock()
	if l == nil {
		return nil
	}
	res, err := w.db.ExecContext(ctx, "UPDATE shards SET epoch = $1, at = now() WHERE name = $2 AND epoch < $1", l.rev, shard)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

// All writes for each shard that it has.
func (w *Worker) All(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for shard, l := range w.leases {
		if l.expires.Before(time.Now()) {
			continue
		}
		if _, err := w.db.ExecContext(ctx, "UPDATE shards SET beat = now() WHERE name = $1", shard); err != nil { // want "checknotfence"
			return err
		}
	}
	return nil
}

// See keeps what it saw of others.
func (w *Worker) See(shard, id string) { w.seen[shard] = &lease{id: id} }

// Count writes whoever has the lease.
func (w *Worker) Count(ctx context.Context, shard string) error {
	if w.seen[shard] == nil {
		return nil
	}
	_, err := w.db.ExecContext(ctx, "UPDATE visits SET n = n + 1 WHERE name = $1", shard)
	return err
}
