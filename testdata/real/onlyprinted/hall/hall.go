// Package hall writes rolls under a lock.
package hall

import (
	"context"
	"errors"
	"log/slog"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/onlyprinted/rolls"
)

// Hall has a lock for each roll.
type Hall struct {
	sess  *concurrency.Session
	rolls *rolls.Store
}

func (h *Hall) locked(ctx context.Context, name string, f func(ctx context.Context, epoch int64) error) error {
	m := concurrency.NewMutex(h.sess, "/hall/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return f(ctx, m.Header().Revision)
}

// Finds finds the error.
func (h *Hall) Finds(ctx context.Context) error {
	return h.locked(ctx, "finds", func(ctx context.Context, epoch int64) error {
		if err := h.rolls.Wrapped(ctx, epoch, 1); errors.Is(err, rolls.ErrStale) {
			return err
		}
		return nil
	})
}

// FindsNone asks for one of which there are only the words.
func (h *Hall) FindsNone(ctx context.Context) error {
	return h.locked(ctx, "findsnone", func(ctx context.Context, epoch int64) error {
		if err := h.rolls.Worded(ctx, epoch, 1); errors.Is(err, rolls.ErrStale) { // want "rejectionignored"
			return err
		}
		return nil
	})
}

// Keeps keeps the first error of which it is told.
func (h *Hall) Keeps(ctx context.Context, ids []int64) error {
	return h.locked(ctx, "keeps", func(ctx context.Context, epoch int64) error {
		var first error
		h.rolls.Each(ctx, epoch, ids, func(_ int64, err error) {
			if first == nil {
				first = err
			}
		})
		return first
	})
}

// Prints prints them.
func (h *Hall) Prints(ctx context.Context, ids []int64) error {
	return h.locked(ctx, "prints", func(ctx context.Context, epoch int64) error {
		h.rolls.Each(ctx, epoch, ids, func(id int64, err error) { slog.Error("not written", "id", id, "err", err) }) // want "rejectionignored"
		return nil
	})
}

// Looks looks at the answer.
func (h *Hall) Looks(ctx context.Context) error {
	return h.locked(ctx, "looks", func(ctx context.Context, epoch int64) error {
		r, err := h.rolls.Ask(ctx, epoch, 1)
		if err == nil && !r.OK {
			err = errors.New(r.Msg)
		}
		return err
	})
}

// LooksAway does not.
func (h *Hall) LooksAway(ctx context.Context) error {
	return h.locked(ctx, "looksaway", func(ctx context.Context, epoch int64) error {
		_, err := h.rolls.Ask(ctx, epoch, 1) // want "rejectionignored"
		return err
	})
}
