// Package results gives leases back with the result of the work: what stores it is a write
// like any other, and what frees a row without saying whose frees the next owner's.
package results

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
)

// Runs are rows that one worker has at a time.
type Runs struct{ DB *sql.DB }

var (
	errTaken = errors.New("another worker has it")
	errLost  = errors.New("the lease is over")
)

//fencelint:lock correctness
func (r *Runs) lease(ctx context.Context, run int64, claim string) error {
	res, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = $2, leased_until = now() + interval '1 minute'
		WHERE run = $1 AND leased_until < now()`, run, claim)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}

// Finish stores the result whoever has the row by now.
func (r *Runs) Finish(ctx context.Context, run int64, sum int) error {
	if err := r.lease(ctx, run, uuid.NewString()); err != nil {
		return err
	}
	_, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = NULL, leased_until = NULL, sum = $2 WHERE run = $1`, run, sum) // want "unfencedwrite"
	return err
}

// FinishUnheard names its claim, and never hears that it was refused.
func (r *Runs) FinishUnheard(ctx context.Context, run int64, sum int) error {
	claim := uuid.NewString()
	if err := r.lease(ctx, run, claim); err != nil {
		return err
	}
	_, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = NULL, leased_until = NULL, sum = $2 WHERE run = $1 AND leased_by = $3`, run, sum, claim) // want "rejectionignored"
	return err
}

// FinishOwn names its claim, and says that it was refused.
func (r *Runs) FinishOwn(ctx context.Context, run int64, sum int) error {
	claim := uuid.NewString()
	if err := r.lease(ctx, run, claim); err != nil {
		return err
	}
	res, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = NULL, leased_until = NULL, sum = $2 WHERE run = $1 AND leased_by = $3`, run, sum, claim)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

// Free frees the row of whoever has it.
func (r *Runs) Free(ctx context.Context, run int64) error {
	if err := r.lease(ctx, run, uuid.NewString()); err != nil {
		return err
	}
	_, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = NULL, leased_until = NULL, freed_at = now() WHERE run = $1`, run) // want "unsaferelease"
	return err
}

// FreeOwn frees its own row; that somebody else had it by then is nothing to answer.
func (r *Runs) FreeOwn(ctx context.Context, run int64) error {
	claim := uuid.NewString()
	if err := r.lease(ctx, run, claim); err != nil {
		return err
	}
	_, err := r.DB.ExecContext(ctx, `UPDATE run_leases SET leased_by = NULL, leased_until = NULL WHERE run = $1 AND leased_by = $2`, run, claim)
	return err
}

// Mark compares nothing but the key of the row, which is no owner's.
func (r *Runs) Mark(ctx context.Context) error {
	const run = 7
	if err := r.take(ctx, run, uuid.NewString()); err != nil {
		return err
	}
	_, err := r.DB.ExecContext(ctx, `UPDATE slot_leases SET note = 'seen' WHERE slot = $1`, run) // want "unfencedwrite"
	return err
}

//fencelint:lock correctness
func (r *Runs) take(ctx context.Context, slot int64, claim string) error {
	res, err := r.DB.ExecContext(ctx, `INSERT INTO slot_leases (slot, leased_by, leased_until) VALUES ($1, $2, now() + interval '1 minute')
		ON CONFLICT (slot) DO UPDATE SET leased_by = $2, leased_until = now() + interval '1 minute' WHERE slot_leases.leased_until < now()`, slot, claim)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}
