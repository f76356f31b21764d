package onlyprinted

import (
	"context"
	"log/slog"
)

// each sets pages, and tells of those that are not.
func (p *Press) each(ctx context.Context, epoch int64, ids []int64, bad func(id int64, err error)) {
	for _, id := range ids {
		if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil {
			bad(id, err)
		}
	}
}

// Hooked keeps the first error.
func (p *Press) Hooked(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "hooked", func(ctx context.Context, epoch int64) error {
		var first error
		p.each(ctx, epoch, ids, func(_ int64, err error) {
			if first == nil {
				first = err
			}
		})
		return first
	})
}

// HookedOnly prints it.
func (p *Press) HookedOnly(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "hookedonly", func(ctx context.Context, epoch int64) error {
		p.each(ctx, epoch, ids, func(id int64, err error) { // want "rejectionignored"
			slog.Error("a page is not set", "id", id, "err", err)
		})
		return nil
	})
}

// HookedAndForgotten keeps it where nobody looks.
func (p *Press) HookedAndForgotten(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "hookedandforgotten", func(ctx context.Context, epoch int64) error {
		var last error
		p.each(ctx, epoch, ids, func(_ int64, err error) { last = err }) // want "rejectionignored"
		slog.Info("pages are set", "last", last)
		return nil
	})
}
