package etcdlock

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type Depot struct {
	m  *concurrency.Mutex
	db *sql.DB
}

func NewDepot(s *concurrency.Session, db *sql.DB) *Depot {
	return &Depot{concurrency.NewMutex(s, "/depot"), db}
}

func (d *Depot) AcquireLease(ctx context.Context, key string) error {
	//fencelint:lock correctness
	return d.m.Lock(ctx)
}

func (d *Depot) ReleaseLease(ctx context.Context, key string) error { return d.m.Unlock(ctx) }

func (d *Depot) DeleteParcel(ctx context.Context, id int64) error {
	_, err := d.db.ExecContext(ctx, "DELETE FROM parcels_kept WHERE id = $1", id)
	return err
}
