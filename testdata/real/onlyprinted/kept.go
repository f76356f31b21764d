package onlyprinted

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
)

// Loaded loads the last error.
func (p *Press) Loaded(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "loaded", func(ctx context.Context, epoch int64) error {
		var last atomic.Pointer[error]
		var wg sync.WaitGroup
		for _, id := range ids {
			wg.Go(func() {
				if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil {
					last.Store(&err)
				}
			})
		}
		wg.Wait()
		if bad := last.Load(); bad != nil {
			return *bad
		}
		return nil
	})
}

// LoadedByNone stores it for nobody.
func (p *Press) LoadedByNone(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "loadedbynone", func(ctx context.Context, epoch int64) error {
		var last atomic.Pointer[error]
		var wg sync.WaitGroup
		for _, id := range ids {
			wg.Go(func() {
				if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil { // want "rejectionignored"
					last.Store(&err)
				}
			})
		}
		wg.Wait()
		return nil
	})
}

// Mapped gives back what became of each page.
func (p *Press) Mapped(ctx context.Context, ids []int64) (map[int64]string, error) {
	said := map[int64]string{}
	err := p.locked(ctx, "mapped", func(ctx context.Context, epoch int64) error {
		for _, id := range ids {
			if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil {
				said[id] = fmt.Sprint("not set: ", err)
				continue
			}
			said[id] = "set"
		}
		return nil
	})
	return said, err
}

// MappedOnly prints how many there are.
func (p *Press) MappedOnly(ctx context.Context, ids []int64) error {
	said := map[int64]string{}
	err := p.locked(ctx, "mappedonly", func(ctx context.Context, epoch int64) error {
		for _, id := range ids {
			if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil { // want "rejectionignored"
				said[id] = fmt.Sprint("not set: ", err)
			}
		}
		return nil
	})
	slog.Info("pages", "not set", len(said))
	return err
}

// MappedAlike gives back the same, whatever became of it.
func (p *Press) MappedAlike(ctx context.Context, ids []int64) (map[int64]string, error) {
	said := map[int64]string{}
	err := p.locked(ctx, "mappedalike", func(ctx context.Context, epoch int64) error {
		for _, id := range ids {
			if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil { // want "rejectionignored"
				slog.Error("not set", "id", id, "err", err)
			}
			said[id] = "seen"
		}
		return nil
	})
	return said, err
}

type statistic struct{ rows int64 }

// Counts compares the number of rows in a record.
func (p *Press) Counts(ctx context.Context) error {
	return p.locked(ctx, "counts", func(ctx context.Context, epoch int64) error {
		res, err := p.db.ExecContext(ctx, set, epoch, 1)
		if err != nil {
			return err
		}
		var s statistic
		if s.rows, err = res.RowsAffected(); err != nil {
			return err
		}
		if s.rows == 0 {
			return errStale
		}
		return nil
	})
}

// CountsOnly prints the record.
func (p *Press) CountsOnly(ctx context.Context) error {
	return p.locked(ctx, "countsonly", func(ctx context.Context, epoch int64) error {
		res, err := p.db.ExecContext(ctx, set, epoch, 1) // want "rejectionignored"
		if err != nil {
			return err
		}
		var s statistic
		if s.rows, err = res.RowsAffected(); err != nil {
			return err
		}
		slog.Info("a page is set", "statistic", s)
		return nil
	})
}
