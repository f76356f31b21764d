// Package captured does its work in goroutines that leave what became of it in variables of
// the function around them.
package captured

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64, state string) error {
	res, err := db.ExecContext(ctx,
		"UPDATE meters SET state = $2, fence = $1 WHERE id = 7 AND fence < $1", epoch, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Told gives back what the goroutine has left.
func Told(ctx context.Context, m *concurrency.Mutex, db *sql.DB, state string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	var wg sync.WaitGroup
	var err error
	wg.Add(1)
	go func() {
		defer wg.Done()
		err = write(ctx, db, m.Header().Revision, state)
	}()
	wg.Wait()
	return err
}

// Logged gives back nothing of it.
func Logged(ctx context.Context, m *concurrency.Mutex, db *sql.DB, state string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	var wg sync.WaitGroup
	var err error
	wg.Add(1)
	go func() {
		defer wg.Done()
		err = write(ctx, db, m.Header().Revision, state) // want "rejectionignored"
	}()
	wg.Wait()
	log.Print(err)
	return nil
}

// InLoop leaves the goroutine after it, as a loop over channels does.
func InLoop(ctx context.Context, m *concurrency.Mutex, db *sql.DB, states <-chan string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { _ = m.Unlock(context.WithoutCancel(ctx)) }()
	var wg sync.WaitGroup
	var err error
	wg.Add(1)
	go func() {
		defer wg.Done()
		for {
			select {
			case <-ctx.Done():
				err = ctx.Err()
				return
			case state := <-states:
				err = write(ctx, db, m.Header().Revision, state)
				return
			}
		}
	}()
	wg.Wait()
	return err
}
