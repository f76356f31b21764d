// Package tokens brings a token to the write in each way that a value can go, once
// the epoch of the lock and once something that is none.
package tokens

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/tokens/clerk"
	"fencelint.example/real/tokens/wire"
)

// Desk takes the lock and writes.
type Desk struct {
	mu    *concurrency.Mutex
	el    *concurrency.Election
	db    *sql.DB
	epoch int64
	tries int64
	host  string
	jobs  chan wire.Job
}

//fencelint:lock correctness
func (d *Desk) take(ctx context.Context) (int64, func(), error) {
	if err := d.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return d.mu.Header().Revision, func() { d.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func (d *Desk) write(ctx context.Context, id int64, token any) error {
	return clerk.One(d.db.ExecContext(ctx, `UPDATE ledgers SET booked = true, fence = $2 WHERE id = $1 AND fence < $2`, id, token))
}
