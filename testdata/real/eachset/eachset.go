// Package eachset writes a part of a statement for each of some columns, in front of its guard.
package eachset

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Change is a column and what it shall be.
type Change struct {
	Column string
	Value  any
}

// Files are rows under a lock.
type Files struct {
	db *sql.DB
	mu *concurrency.Mutex
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Store sets the columns, each with a comma behind it, and then the epoch.
func (f *Files) Store(ctx context.Context, id int64, changes []Change) error {
	//fencelint:lock correctness
	if err := f.mu.Lock(ctx); err != nil {
		return err
	}
	defer f.mu.Unlock(context.WithoutCancel(ctx))
	var text strings.Builder
	var args []any
	text.WriteString("UPDATE files SET ")
	for _, c := range changes {
		fmt.Fprintf(&text, "%s = ?, ", c.Column)
		args = append(args, c.Value)
	}
	text.WriteString("epoch = ? WHERE id = ? AND epoch < ?")
	epoch := f.mu.Header().Revision
	args = append(args, epoch, id, epoch)
	return changed(f.db.ExecContext(ctx, text.String(), args...))
}

// StoreUnset forgets to store the epoch.
func (f *Files) StoreUnset(ctx context.Context, id int64, changes []Change) error {
	//fencelint:lock correctness
	if err := f.mu.Lock(ctx); err != nil {
		return err
	}
	defer f.mu.Unlock(context.WithoutCancel(ctx))
	var text strings.Builder
	var args []any
	text.WriteString("UPDATE files SET ")
	for _, c := range changes {
		fmt.Fprintf(&text, "%s = ?, ", c.Column)
		args = append(args, c.Value)
	}
	text.WriteString("seen = true WHERE id = ? AND epoch < ?")
	args = append(args, id, f.mu.Header().Revision)
	return changed(f.db.ExecContext(ctx, text.String(), args...)) // want "fencenotadvanced"
}

// StoreAny demands the epoch only where no other condition holds.
func (f *Files) StoreAny(ctx context.Context, id int64, conds []Change) error {
	//fencelint:lock correctness
	if err := f.mu.Lock(ctx); err != nil {
		return err
	}
	defer f.mu.Unlock(context.WithoutCancel(ctx))
	epoch := f.mu.Header().Revision
	var text strings.Builder
	args := []any{epoch, id}
	text.WriteString("UPDATE files SET epoch = ? WHERE id = ? AND (")
	for _, c := range conds {
		fmt.Fprintf(&text, "%s = ? OR ", c.Column)
		args = append(args, c.Value)
	}
	text.WriteString("epoch < ?)")
	args = append(args, epoch)
	return changed(f.db.ExecContext(ctx, text.String(), args...)) // want "staleadmitted|unprovedwrite"
}
