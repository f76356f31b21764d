// Package within writes through a store whose fields and records nobody else can see.
package within

import (
	"context"

	"fencelint.example/real/within/store"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Harbour has berths.
type Harbour struct {
	session *concurrency.Session
	berths  *store.Berths
}

func (h *Harbour) lock(ctx context.Context, key string) (int64, func(), error) {
	m := concurrency.NewMutex(h.session, "/berths/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return m.Header().Revision, func() { _ = m.Unlock(context.WithoutCancel(ctx)) }, nil
}

// GoodTake uses a statement that the store prepared.
func (h *Harbour) GoodTake(ctx context.Context, id int64) error {
	rev, unlock, err := h.lock(ctx, "take")
	if err != nil {
		return err
	}
	defer unlock()
	return h.berths.Take(ctx, id, rev)
}

// BadClear uses another one, which lets an equal epoch through.
func (h *Harbour) BadClear(ctx context.Context, id int64) error {
	rev, unlock, err := h.lock(ctx, "clear")
	if err != nil {
		return err
	}
	defer unlock()
	return h.berths.Clear(ctx, id, rev) // want "equaladmitted"
}

// GoodName hands a record on.
func (h *Harbour) GoodName(ctx context.Context, id int64, name string) error {
	rev, unlock, err := h.lock(ctx, "name")
	if err != nil {
		return err
	}
	defer unlock()
	if err := h.berths.Name(ctx, id, rev, name); err != nil {
		return err
	}
	return h.berths.Board(ctx, id, rev)
}

// GoodRent hands on a record with a part.
func (h *Harbour) GoodRent(ctx context.Context, id int64, name string) error {
	rev, unlock, err := h.lock(ctx, "rent")
	if err != nil {
		return err
	}
	defer unlock()
	return h.berths.Rent(ctx, store.NewSlip(id, rev, name))
}

// GoodDock asks for one statement of a map.
func (h *Harbour) GoodDock(ctx context.Context, id int64) error {
	rev, unlock, err := h.lock(ctx, "dock")
	if err != nil {
		return err
	}
	defer unlock()
	return h.berths.Dock(ctx, id, rev)
}

// BadPaint hands on a record without the number.
func (h *Harbour) BadPaint(ctx context.Context, id int64) error {
	_, unlock, err := h.lock(ctx, "paint")
	if err != nil {
		return err
	}
	defer unlock()
	return h.berths.Paint(ctx, id, "red") // want "zerotoken"
}
