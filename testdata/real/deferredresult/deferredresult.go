// Package deferredresult gets its epochs from functions that do something when they return.
package deferredresult

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

type ferry struct {
	mu sync.Mutex
	m  *concurrency.Mutex
	db *sql.DB
}

func (f *ferry) write(ctx context.Context, epoch int64) error {
	res, err := f.db.ExecContext(ctx, "UPDATE ferries SET cargo = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// take gives no epoch beside an error.
func (f *ferry) take(ctx context.Context) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	//fencelint:lock correctness
	if err := f.m.Lock(ctx); err != nil {
		return 0, err
	}
	return f.m.Header().Revision, nil
}

// Write uses it.
func (f *ferry) Write(ctx context.Context) error {
	epoch, err := f.take(ctx)
	if err != nil {
		return err
	}
	return f.write(ctx, epoch)
}

// takeNamed adds to its error when it returns.
func (f *ferry) takeNamed(ctx context.Context) (epoch int64, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(errStale, err)
		}
	}()
	//fencelint:lock correctness
	if err := f.m.Lock(ctx); err != nil {
		return 0, err
	}
	return f.m.Header().Revision, nil
}

// WriteNamed uses it.
func (f *ferry) WriteNamed(ctx context.Context) error {
	epoch, err := f.takeNamed(ctx)
	if err != nil {
		return err
	}
	return f.write(ctx, epoch)
}

// takeQuiet gives none without an error too.
func (f *ferry) takeQuiet(ctx context.Context, dry bool) (int64, error) {
	defer log.Print("taken")
	//fencelint:lock correctness
	if err := f.m.Lock(ctx); err != nil {
		return 0, err
	}
	if dry {
		return 0, nil
	}
	return f.m.Header().Revision, nil
}

// WriteQuiet uses it.
func (f *ferry) WriteQuiet(ctx context.Context, dry bool) error {
	epoch, err := f.takeQuiet(ctx, dry)
	if err != nil {
		return err
	}
	return f.write(ctx, epoch) // want "zerotoken"
}

// takeChanged gives another number when it returns.
func (f *ferry) takeChanged(ctx context.Context) (epoch int64, err error) {
	defer func() { epoch = 0 }()
	//fencelint:lock correctness
	if err := f.m.Lock(ctx); err != nil {
		return 0, err
	}
	return f.m.Header().Revision, nil
}

// WriteChanged uses it.
func (f *ferry) WriteChanged(ctx context.Context) error {
	epoch, err := f.takeChanged(ctx)
	if err != nil {
		return err
	}
	return f.write(ctx, epoch) // want "zerotoken"
}
