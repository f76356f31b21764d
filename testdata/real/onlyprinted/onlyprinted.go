// Package onlyprinted has refusals that reach other code, which tells of them or only prints
// them.
package onlyprinted

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var (
	errStale = errors.New("a newer owner was there")
	errStore = errors.New("the store has failed")
)

// Press prints pages.
type Press struct {
	db   *sql.DB
	sess *concurrency.Session
}

func (p *Press) locked(ctx context.Context, name string, f func(ctx context.Context, epoch int64) error) error {
	m := concurrency.NewMutex(p.sess, "/press/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return f(ctx, m.Header().Revision)
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}

const set = `UPDATE pages SET set = true, epoch = $1 WHERE id = $2 AND epoch < $1`

// Received gives back what comes from the channel.
func (p *Press) Received(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "received", func(ctx context.Context, epoch int64) (err error) {
		errs := make(chan error, len(ids))
		for _, id := range ids {
			go func() { errs <- changed(p.db.ExecContext(ctx, set, epoch, id)) }()
		}
		for range ids {
			if e := <-errs; e != nil {
				slog.Error("a page is not set", "err", e)
				err = e
			}
		}
		return err
	})
}

// Logged writes it into the log.
func (p *Press) Logged(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "logged", func(ctx context.Context, epoch int64) error {
		errs := make(chan error, len(ids))
		for _, id := range ids {
			go func() { errs <- changed(p.db.ExecContext(ctx, set, epoch, id)) }() // want "rejectionignored"
		}
		for range ids {
			if e := <-errs; e != nil {
				slog.Error("a page is not set", "err", e)
			}
		}
		return nil
	})
}

type outcome struct {
	id  int64
	err error
}

// Counted compares the number of pages that are set.
func (p *Press) Counted(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "counted", func(ctx context.Context, epoch int64) error {
		out := make(chan outcome, len(ids))
		for _, id := range ids {
			go func() { out <- outcome{id, changed(p.db.ExecContext(ctx, set, epoch, id))} }()
		}
		done := 0
		for range ids {
			if o := <-out; o.err == nil {
				done++
			}
		}
		if done < len(ids) {
			return errStale
		}
		return nil
	})
}

// CountedOnly prints it.
func (p *Press) CountedOnly(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "countedonly", func(ctx context.Context, epoch int64) error {
		out := make(chan outcome, len(ids))
		for _, id := range ids {
			go func() { out <- outcome{id, changed(p.db.ExecContext(ctx, set, epoch, id))} }() // want "rejectionignored"
		}
		done := 0
		for range ids {
			if o := <-out; o.err == nil {
				slog.Debug("set", "id", o.id)
				done++
			}
		}
		slog.Info("pages are set", "done", done)
		return nil
	})
}

// Listed asks whether the list is empty.
func (p *Press) Listed(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "listed", func(ctx context.Context, epoch int64) error {
		failed := p.all(ctx, epoch, ids)
		if len(failed) > 0 {
			return failed[0]
		}
		return nil
	})
}

func (p *Press) all(ctx context.Context, epoch int64, ids []int64) (failed []error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil {
				mu.Lock()
				failed = append(failed, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// ListedOnly prints how long it is.
func (p *Press) ListedOnly(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "listedonly", func(ctx context.Context, epoch int64) error {
		var mu sync.Mutex
		var wg sync.WaitGroup
		var failed []error
		for _, id := range ids {
			wg.Go(func() {
				if err := changed(p.db.ExecContext(ctx, set, epoch, id)); err != nil { // want "rejectionignored"
					mu.Lock()
					failed = append(failed, err)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if len(failed) > 0 {
			slog.Warn("some pages are not set", "failed", len(failed))
		}
		return nil
	})
}

// setter keeps the first error, for whoever asks.
type setter struct {
	db  *sql.DB
	bad error
}

func (s *setter) set(ctx context.Context, epoch, id int64) {
	if s.bad == nil {
		s.bad = changed(s.db.ExecContext(ctx, set, epoch, id))
	}
}

// Asked asks it.
func (p *Press) Asked(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "asked", func(ctx context.Context, epoch int64) error {
		s := &setter{db: p.db}
		for _, id := range ids {
			s.set(ctx, epoch, id)
		}
		return s.bad
	})
}

// mute keeps it, and nobody asks.
type mute struct {
	db  *sql.DB
	bad error
}

func (s *mute) set(ctx context.Context, epoch, id int64) {
	if s.bad != nil {
		return
	}
	s.bad = changed(s.db.ExecContext(ctx, set, epoch, id))
}

// Unasked has one that nobody asks.
func (p *Press) Unasked(ctx context.Context, ids []int64) error {
	return p.locked(ctx, "unasked", func(ctx context.Context, epoch int64) error {
		s := &mute{db: p.db}
		for _, id := range ids {
			s.set(ctx, epoch, id) // want "rejectionignored"
		}
		return nil
	})
}

// Reply is an answer.
type Reply struct {
	OK  bool
	Msg string
}

func (p *Press) reply(ctx context.Context, epoch int64) (*Reply, error) {
	if err := changed(p.db.ExecContext(ctx, set, epoch, 1)); err != nil {
		return &Reply{Msg: err.Error()}, nil
	}
	return &Reply{OK: true}, nil
}

// Looks looks at the answer.
func (p *Press) Looks(ctx context.Context) error {
	return p.locked(ctx, "looks", func(ctx context.Context, epoch int64) error {
		r, err := p.reply(ctx, epoch)
		if err != nil {
			return err
		}
		if !r.OK {
			return errors.New(r.Msg)
		}
		return nil
	})
}

// Replies hands it on.
func (p *Press) Replies(ctx context.Context) (r *Reply, err error) {
	err = p.locked(ctx, "replies", func(ctx context.Context, epoch int64) error {
		r, err = p.reply(ctx, epoch)
		return err
	})
	return r, err
}

// LooksAway does not.
func (p *Press) LooksAway(ctx context.Context) error {
	return p.locked(ctx, "looksaway", func(ctx context.Context, epoch int64) error {
		_, err := p.reply(ctx, epoch) // want "rejectionignored"
		return err
	})
}

func (p *Press) wrapped(ctx context.Context, epoch int64) error {
	if err := changed(p.db.ExecContext(ctx, set, epoch, 1)); err != nil {
		return fmt.Errorf("page %d: %w", 1, err)
	}
	return nil
}

// Finds finds the error that is wrapped.
func (p *Press) Finds(ctx context.Context) error {
	return p.locked(ctx, "finds", func(ctx context.Context, epoch int64) error {
		if err := p.wrapped(ctx, epoch); errors.Is(err, errStale) {
			return err
		}
		return nil
	})
}

func (p *Press) told(ctx context.Context, epoch int64) error {
	if err := changed(p.db.ExecContext(ctx, set, epoch, 1)); err != nil {
		return fmt.Errorf("%w: page %d: %v", errStore, 1, err)
	}
	return nil
}

// FindsOther finds the one that is.
func (p *Press) FindsOther(ctx context.Context) error {
	return p.locked(ctx, "findsother", func(ctx context.Context, epoch int64) error {
		if err := p.told(ctx, epoch); errors.Is(err, errStore) {
			return err
		}
		return nil
	})
}

// FindsNone asks for one of which there are only the words.
func (p *Press) FindsNone(ctx context.Context) error {
	return p.locked(ctx, "findsnone", func(ctx context.Context, epoch int64) error {
		if err := p.told(ctx, epoch); errors.Is(err, errStale) { // want "rejectionignored"
			return err
		}
		return nil
	})
}

// Jam is an error of a type.
type Jam struct{ Page int }

func (Jam) Error() string { return "a jam" }

// FindsNoJam asks for a type that no text has.
func (p *Press) FindsNoJam(ctx context.Context) error {
	return p.locked(ctx, "findsnojam", func(ctx context.Context, epoch int64) error {
		err := changed(p.db.ExecContext(ctx, set, epoch, 1)) // want "rejectionignored"
		if err != nil {
			err = errors.New("not set: " + err.Error())
		}
		var jam *Jam
		if errors.As(err, &jam) {
			return err
		}
		return nil
	})
}
