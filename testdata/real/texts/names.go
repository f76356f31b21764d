package texts

import (
	"context"

	"github.com/jackc/pgx/v5"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Named are statements that are prepared under names which look like statements.
type Named struct {
	conn *pgx.Conn
	mu   *concurrency.Mutex
}

func (d *Named) prepare(ctx context.Context) error {
	if _, err := d.conn.Prepare(ctx, "update the loom", "UPDATE looms SET state = $3, fence = $2 WHERE id = $1 AND fence < $2"); err != nil {
		return err
	}
	_, err := d.conn.Prepare(ctx, "insert any loom", "UPDATE looms SET state = $2 WHERE id = $1")
	return err
}

// NamedFenced is a statement with a guard.
func (d *Named) NamedFenced(ctx context.Context, id int64, state string) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	tag, err := d.conn.Exec(ctx, "update the loom", id, d.mu.Header().Revision, state)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return pgx.ErrNoRows
	}
	return nil
}

// NamedOpen is one without.
func (d *Named) NamedOpen(ctx context.Context, id int64, state string) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	_, err := d.conn.Exec(ctx, "insert any loom", id, state) // want "unfencedwrite"
	return err
}
