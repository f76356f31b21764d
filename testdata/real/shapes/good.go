package shapes

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/shapes/base"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// fencedRepo has its methods from what it embeds, two levels down.
type fencedRepo struct{ inner }

type inner struct {
	base.Fenced
	name string
}

// GoodEmbedded calls a promoted method.
func GoodEmbedded(ctx context.Context, s *concurrency.Session, r fencedRepo, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/"+r.name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return r.Put(ctx, id, mu.Header().Revision)
}

// GoodAlias locks through a promoted method of an alias.
func GoodAlias(ctx context.Context, g guarded, id int64) error {
	//fencelint:lock correctness
	if err := g.Lock(ctx); err != nil {
		return err
	}
	defer g.Unlock(context.WithoutCancel(ctx))
	res, err := g.db.ExecContext(ctx,
		`UPDATE tiles SET laid = true, fence = $2 WHERE id = $1 AND fence < $2`, id, g.Header().Revision)
	return one(res, err)
}

// GoodMethodValue calls a method that it has put into a variable.
func GoodMethodValue(ctx context.Context, s *concurrency.Session, f base.Fenced, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/value")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	put := f.Put
	return put(ctx, id, mu.Header().Revision)
}

// GoodClosure calls a closure that it made before it had the lock.
func GoodClosure(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	write := func(fence int64) error {
		res, err := db.ExecContext(ctx,
			`UPDATE bricks SET laid = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
		return one(res, err)
	}
	mu := concurrency.NewMutex(s, "/locks/closure")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return write(mu.Header().Revision)
}

// fencedWriter is an interface with one implementation in sight.
type fencedWriter interface {
	writeAt(ctx context.Context, id, fence int64) error
}

type strictWriter struct{ db *sql.DB }

func (w strictWriter) writeAt(ctx context.Context, id, fence int64) error {
	res, err := w.db.ExecContext(ctx, `UPDATE slates SET laid = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence)
	return one(res, err)
}

// GoodInterface calls through an interface.
func GoodInterface(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	var w fencedWriter = strictWriter{db}
	mu := concurrency.NewMutex(s, "/locks/interface")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return w.writeAt(ctx, id, mu.Header().Revision)
}

// GoodExecer writes through an interface that has the shape of a database.
func GoodExecer(ctx context.Context, s *concurrency.Session, db execer, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/execer")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx,
		`UPDATE beams SET laid = true, fence = $2 WHERE id = $1 AND fence < $2`, id, mu.Header().Revision)
	return one(res, err)
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
