package goroutine

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// GoodJoined waits for its goroutine, which compares.
func GoodJoined(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/joined")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision
	errs := make(chan error, 1)
	go func() {
		res, err := db.ExecContext(ctx, `UPDATE boats SET out = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		errs <- one(res, err)
	}()
	return <-errs
}

// GoodGroup waits for one of each kind.
func GoodGroup(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/group")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	fence := mu.Header().Revision
	var wg sync.WaitGroup
	var oar, buoy error
	wg.Add(2)
	go func() {
		defer wg.Done()
		res, err := db.ExecContext(ctx, `UPDATE oars SET wet = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		oar = one(res, err)
	}()
	go func() {
		defer wg.Done()
		res, err := db.ExecContext(ctx, `UPDATE buoys SET lit = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		buoy = one(res, err)
	}()
	wg.Wait()
	return errors.Join(oar, buoy)
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
