// Package explain has one write of each kind that the reasoning is shown for.
package explain

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Depot keeps a lock and its epoch.
type Depot struct {
	//fencelint:lock correctness contract=fence
	mu    *concurrency.Mutex
	epoch int64
	seen  int64
	db    *sql.DB
}

// Lock takes the lock, and keeps its epoch.
func (d *Depot) Lock(ctx context.Context) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	d.epoch = d.mu.Header().Revision
	return nil
}

// GoodField hands the epoch on through a field and two functions.
func (d *Depot) GoodField(ctx context.Context, id int64) error {
	if err := d.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	return d.ship(ctx, id, d.epoch)
}

func (d *Depot) ship(ctx context.Context, id, turn int64) error {
	return store(ctx, d.db, "crates", id, turn)
}

func store(ctx context.Context, db *sql.DB, table string, id, epoch int64) error {
	return one(db.ExecContext(ctx,
		`UPDATE `+table+` SET shipped = true, fence = $2 WHERE id = $1 AND fence < $2`,
		id, epoch))
}

// BadCounted counts its own numbers.
func (d *Depot) BadCounted(ctx context.Context, id int64) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	d.seen++
	return one(d.db.ExecContext(ctx, `UPDATE bins SET full = true, fence = $2 WHERE id = $1 AND fence < $2`, id, d.seen)) // want "localcounter"
}

// BadNarrow loses digits on the way.
func (d *Depot) BadNarrow(ctx context.Context, id int64) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	turn := int32(d.mu.Header().Revision)
	return one(d.db.ExecContext(ctx, `UPDATE bins SET full = true, fence = $2 WHERE id = $1 AND fence < $2`, id, turn)) // want "fencecolumn"
}

// BadLost takes a number of which nobody knows where it comes from.
func (d *Depot) BadLost(ctx context.Context, id int64, names map[string]string) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	turn, err := strconv.ParseInt(fmt.Sprintf("%v", pick(names)), 10, 64)
	if err != nil {
		return err
	}
	return one(d.db.ExecContext(ctx, `UPDATE bins SET full = true, fence = $2 WHERE id = $1 AND fence < $2`, id, turn)) // want "unprovedwrite"
}

func pick(names map[string]string) string {
	for _, n := range names {
		return n
	}
	return ""
}

// BadHole has a condition that is known only at run time.
func (d *Depot) BadHole(ctx context.Context, id int64) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	return one(d.db.ExecContext(ctx, `UPDATE bins SET full = true, fence = $2 WHERE id = $1 AND fence < $2 AND `+os.Getenv("BINS"), id, d.mu.Header().Revision)) // want "unprovedwrite"
}

// BadPlain has no guard, and somebody decided to live with it.
func (d *Depot) BadPlain(ctx context.Context, id int64) error {
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unfencedwrite reason="counted by hand each night"
	_, err := d.db.ExecContext(ctx, `UPDATE bins SET full = false WHERE id = $1`, id)
	return err
}

// Receive has no lock: it takes tokens of others.
func Receive(ctx context.Context, db *sql.DB, id, token int64) error {
	return one(db.ExecContext(ctx, `UPDATE docks SET free = false, fence = $2 WHERE id = $1 AND fence < $2`, id, token))
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
