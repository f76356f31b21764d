// Package beside compares the epoch of a lease row in statements on other tables.
package beside

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

var errStale = errors.New("stale owner")

type lease struct {
	holder string
	epoch  int64
}

func written(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return nil
}

const besideLease = `UPDATE intents SET state = $1 WHERE id = $2 AND EXISTS (SELECT 1 FROM leases WHERE name = 'runner' AND holder = $3 AND epoch = $4 AND expires_at > now())`

// Direct takes the number from the claim.
func Direct(ctx context.Context, db *sql.DB, me string) error {
	var epoch int64
	//fencelint:lock correctness
	row := db.QueryRowContext(ctx, `UPDATE leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '10 s' WHERE name = 'runner' AND expires_at <= now() RETURNING epoch`, me)
	if err := row.Scan(&epoch); err != nil {
		return err
	}
	return written(db.ExecContext(ctx, besideLease, "done", 7, me, epoch)) // want "crosstablefence"
}

// Server does so on SQL Server.
func Server(ctx context.Context, db *sql.DB, me string) error {
	var epoch int64
	//fencelint:lock correctness
	row := db.QueryRowContext(ctx, `UPDATE dbo.leases SET holder = @p1, epoch = epoch + 1, expires_at = DATEADD(SECOND, 10, SYSUTCDATETIME()) OUTPUT inserted.epoch WHERE name = 'runner' AND expires_at <= SYSUTCDATETIME()`, me)
	if err := row.Scan(&epoch); err != nil {
		return err
	}
	return written(db.ExecContext(ctx, `UPDATE dbo.intents SET state = @p1 WHERE id = @p2 AND EXISTS (SELECT 1 FROM dbo.leases WHERE name = 'runner' AND holder = @p3 AND epoch = @p4 AND expires_at > SYSUTCDATETIME())`, "done", 7, me, epoch)) // want "crosstablefence"
}

func claim(ctx context.Context, db *sql.DB, me string) (lease, bool, error) {
	var epoch int64
	//fencelint:lock correctness
	row := db.QueryRowContext(ctx, `UPDATE leases SET holder = $1, epoch = epoch + 1, expires_at = now() + interval '10 s' WHERE name = 'runner' AND expires_at <= now() RETURNING epoch`, me)
	if err := row.Scan(&epoch); err == nil {
		return lease{me, epoch}, true, nil
	} else if !errors.Is(err, sql.ErrNoRows) {
		return lease{}, false, err
	}
	return lease{}, false, nil
}

// Told asks whether it has got the lease.
func Told(ctx context.Context, db *sql.DB, me string) error {
	l, ok, err := claim(ctx, db, me)
	if err != nil || !ok {
		return err
	}
	return written(db.ExecContext(ctx, besideLease, "done", 7, l.holder, l.epoch)) // want "crosstablefence"
}

// Runner keeps the lease while it leads.
type Runner struct {
	db *sql.DB
	me string

	mu    sync.Mutex
	leads bool
	fence lease
}

func (r *Runner) set(l lease) {
	r.mu.Lock()
	r.leads, r.fence = true, l
	r.mu.Unlock()
}

func (r *Runner) unset() {
	r.mu.Lock()
	r.leads, r.fence = false, lease{}
	r.mu.Unlock()
}

func (r *Runner) current() (lease, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.leads {
		return lease{}, false
	}
	return r.fence, true
}

// Run leads.
func (r *Runner) Run(ctx context.Context) error {
	l, ok, err := claim(ctx, r.db, r.me)
	if err != nil || !ok {
		return err
	}
	r.set(l)
	defer r.unset()
	return r.work(ctx) // want "crosstablefence"
}

func (r *Runner) work(ctx context.Context) error {
	l, ok := r.current()
	if !ok {
		return nil
	}
	return written(r.db.ExecContext(ctx, besideLease, "done", 7, l.holder, l.epoch)) // want "crosstablefence"
}

// Counted looks at the answer, and goes on whatever it is.
func (r *Runner) Counted(ctx context.Context, seen *int) error {
	l, ok, err := claim(ctx, r.db, r.me)
	if err != nil || !ok {
		return err
	}
	r.set(l)
	defer r.unset()
	return r.count(ctx, seen) // want "zerotoken"
}

func (r *Runner) count(ctx context.Context, seen *int) error {
	l, ok := r.current()
	if ok {
		*seen++
	}
	return written(r.db.ExecContext(ctx, `UPDATE intents SET state = $1, epoch = $3 WHERE id = $2 AND epoch < $3`, "done", 7, l.epoch))
}
