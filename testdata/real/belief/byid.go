package belief

import (
	"context"
	"database/sql"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Shards are led one by one; the map says which of them by this process.
type Shards struct {
	mu    sync.Mutex
	leads map[string]bool
	seen  map[string]bool
	s     *concurrency.Session
	db    *sql.DB
}

// Lead leads one until the session ends.
func (h *Shards) Lead(ctx context.Context, id string) error {
	e := concurrency.NewElection(h.s, "/shards/"+id)
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	h.set(id, true)
	<-h.s.Done()
	h.set(id, false)
	return nil
}

func (h *Shards) set(id string, leads bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leads[id] = leads
}

func (h *Shards) isLed(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.leads[id]
}

// Tick writes where it leads.
func (h *Shards) Tick(ctx context.Context, id string) error {
	if !h.isLed(id) {
		return nil
	}
	_, err := h.db.ExecContext(ctx, "UPDATE shards SET ticks = ticks + 1 WHERE id = $1", id) // want "checknotfence"
	return err
}

// Visit writes whoever leads: what it has seen is its own affair.
func (h *Shards) Visit(ctx context.Context, id string) error {
	if h.seen[id] {
		return nil
	}
	h.seen[id] = true
	_, err := h.db.ExecContext(ctx, "UPDATE visits SET n = n + 1 WHERE shard = $1", id)
	return err
}
