package results

import (
	"context"
	"errors"
	"time"
)

// Claim takes the row of a desk for some time.
//
//fencelint:lock correctness
func (r *Runs) Claim(ctx context.Context, desk string, until time.Time, by string) (bool, error) {
	res, err := r.DB.ExecContext(ctx, `INSERT INTO desk_locks (desk, locked_until, locked_by) VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT desk_locks_pkey DO UPDATE SET locked_until = $2, locked_by = $3 WHERE desk_locks.locked_until < now()`, desk, until, by)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Drop frees it whoever has it: that is said here, and to none of those who call it.
func (r *Runs) Drop(ctx context.Context, desk string) error {
	_, err := r.DB.ExecContext(ctx, `DELETE FROM desk_locks WHERE desk = $1`, desk) // want "unsaferelease"
	return err
}

// Sort works at one desk.
func (r *Runs) Sort(ctx context.Context, by string) error {
	ok, err := r.Claim(ctx, "sort", time.Now().Add(time.Minute), by)
	if err != nil || !ok {
		return errors.Join(errTaken, err)
	}
	defer func() { _ = r.Drop(ctx, "sort") }()
	_, err = r.DB.ExecContext(ctx, `UPDATE letters SET place = place + 1`) // want "unfencedwrite"
	return err
}

// Each takes the lock of each desk within that of all: neither claims nor releases are
// effects of the work.
func (r *Runs) Each(ctx context.Context, desks []string, by string) error {
	ok, err := r.Claim(ctx, "all", time.Now().Add(time.Hour), by)
	if err != nil || !ok {
		return errors.Join(errTaken, err)
	}
	defer func() { _ = r.Drop(ctx, "all") }()
	for _, d := range desks {
		if err := r.visit(ctx, d, by); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runs) visit(ctx context.Context, desk, by string) error {
	ok, err := r.Claim(ctx, desk, time.Now().Add(time.Minute), by)
	if err != nil || !ok {
		return errors.Join(errTaken, err)
	}
	return r.Drop(ctx, desk)
}
