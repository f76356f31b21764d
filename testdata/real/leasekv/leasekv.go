// Package leasekv keeps a lease in an entry of a bucket of NATS, which is replaced by its
// revision.
package leasekv

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrTaken says that another leads.
var ErrTaken = errors.New("another leads")

type leaderRecord struct {
	ID      string    `json:"id"`
	Owner   string    `json:"owner"`
	Expires time.Time `json:"expires"`
}

// Elector leads by an entry.
type Elector struct {
	kv jetstream.KeyValue
	db *sql.DB
	me string
}

// Campaign tries to lead.
//
//fencelint:lock correctness
func (e *Elector) Campaign(ctx context.Context) error {
	entry, err := e.kv.Get(ctx, "leader")
	if err != nil {
		return err
	}
	var r leaderRecord
	if err := json.Unmarshal(entry.Value(), &r); err != nil {
		return err
	}
	if r.Owner != e.me && time.Now().Before(r.Expires) {
		return ErrTaken
	}
	next := leaderRecord{ID: r.ID, Owner: e.me, Expires: time.Now().Add(time.Minute)}
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	_, err = e.kv.Update(ctx, "leader", data, entry.Revision())
	return err
}

// Run writes while it leads.
func (e *Elector) Run(ctx context.Context) error {
	if err := e.Campaign(ctx); err != nil {
		return err
	}
	_, err := e.db.ExecContext(ctx, "UPDATE jobs SET state = 'running'") // want "unfencedwrite"
	return err
}
