package walked

import (
	"context"
	"database/sql"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// harbour is a tree of harbours.
type harbour struct {
	epoch int64
	name  string
	inner *harbour
}

// stamp goes down to the innermost.
func (h *harbour) stamp(epoch int64) {
	if h.inner != nil {
		h.inner.stamp(epoch)
	}
	h.epoch = epoch
}

// rename does, too, and leaves the epochs.
func (h *harbour) rename(name string) {
	if h.inner != nil {
		h.inner.rename(name)
	}
	h.name = name
}

// Renamed writes with the epoch of its lock.
func Renamed(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	h := &harbour{inner: &harbour{epoch: epoch}}
	h.rename("new")
	return write(ctx, db, h.inner.epoch)
}

// Stamped writes with the time, which a method gave the inner harbour by way of itself.
func Stamped(ctx context.Context, db *sql.DB, m *concurrency.Mutex) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	h := &harbour{inner: &harbour{epoch: epoch}}
	h.stamp(time.Now().UnixNano())
	return write(ctx, db, h.inner.epoch) // want "clocktoken"
}
