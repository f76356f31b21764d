package renew

import (
	"context"
	"database/sql"
	"errors"

	"github.com/hashicorp/consul/api"
)

var errAheadBusy = errors.New("busy")

// BadAhead keeps its session alive before it has the lock, and does not hear when that ends.
func BadAhead(ctx context.Context, c *api.Client, db *sql.DB) error {
	sessions := c.Session()
	id, _, err := sessions.Create(&api.SessionEntry{Name: "purge", TTL: "20s"}, nil)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go sessions.RenewPeriodic("20s", id, nil, done) // want "renewalerror"
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(&api.KVPair{Key: "purge/lock", Session: id}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errAheadBusy
	}
	_, err = db.ExecContext(ctx, `DELETE FROM documents WHERE id = 1`) // want "unfencedwrite"
	return err
}

// GoodAhead ends the context of the work.
func GoodAhead(ctx context.Context, c *api.Client, db *sql.DB) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sessions := c.Session()
	id, _, err := sessions.Create(&api.SessionEntry{Name: "purge", TTL: "20s"}, nil)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		defer cancel()
		_ = sessions.RenewPeriodic("20s", id, nil, done)
	}()
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(&api.KVPair{Key: "purge/lock", Session: id}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errAheadBusy
	}
	_, err = db.ExecContext(ctx, `DELETE FROM documents WHERE id = 1`) // want "unfencedwrite"
	return err
}

// GoodOther keeps another session alive, under which there is no lock.
func GoodOther(ctx context.Context, c *api.Client, db *sql.DB, other string) error {
	done := make(chan struct{})
	defer close(done)
	go c.Session().RenewPeriodic("20s", other, nil, done)
	id, _, err := c.Session().Create(&api.SessionEntry{Name: "purge"}, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(&api.KVPair{Key: "purge/lock", Session: id}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errAheadBusy
	}
	_, err = db.ExecContext(ctx, `DELETE FROM documents WHERE id = 1`) // want "unfencedwrite"
	return err
}
