package awaitlock

import (
	"context"
	"database/sql"
)

// lockOrEnd waits for it no longer than its caller does.
func (l *ledger) lockOrEnd(ctx context.Context) error {
	got := make(chan error, 1)
	go func() {
		//fencelint:lock correctness
		_, err := l.conn.ExecContext(ctx, `SELECT pg_advisory_lock(8)`)
		got <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-got:
		return err
	}
}

// SelectedSame writes through the connection that has the lock.
func (l *ledger) SelectedSame(ctx context.Context) error {
	if err := l.lockOrEnd(ctx); err != nil {
		return err
	}
	_, err := l.conn.ExecContext(ctx, `UPDATE pages SET open = true WHERE id = 2`)
	return err
}

// SelectedOther writes through another one.
func (l *ledger) SelectedOther(ctx context.Context) error {
	if err := l.lockOrEnd(ctx); err != nil {
		return err
	}
	_, err := l.pool.ExecContext(ctx, `UPDATE pages SET open = true WHERE id = 2`) // want "unfencedwrite"
	return err
}

// given hands on the connection with the lock.
func (l *ledger) given(ctx context.Context) (*sql.Conn, error) {
	got := make(chan error, 1)
	go func() {
		//fencelint:lock correctness
		_, err := l.conn.ExecContext(ctx, `SELECT pg_advisory_lock(9)`)
		got <- err
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case err := <-got:
		return l.conn, err
	}
}

// Given writes through another connection than the one that it was given.
func (l *ledger) Given(ctx context.Context) error {
	if _, err := l.given(ctx); err != nil {
		return err
	}
	_, err := l.pool.ExecContext(ctx, `UPDATE pages SET open = true WHERE id = 3`) // want "unfencedwrite"
	return err
}
