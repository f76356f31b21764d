// Package main has two kinds of stores, each of which locks and writes. What is written under
// the lock of a store is written by a store of the same kind.
package main

import (
	"context"
	"database/sql"
	"os"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type store interface {
	Lock(ctx context.Context) (int64, error)
	Save(ctx context.Context, v string, epoch int64) error
}

type table struct{ db *sql.DB }

func (t *table) Lock(ctx context.Context) (epoch int64, err error) {
	//fencelint:lock correctness
	err = t.db.QueryRowContext(ctx, `UPDATE bowls SET epoch = epoch + 1, until = now() + interval '1 minute' WHERE id = 1 AND until < now() RETURNING epoch`).Scan(&epoch)
	return epoch, err
}

func (t *table) Save(ctx context.Context, v string, epoch int64) error {
	res, err := t.db.ExecContext(ctx, `UPDATE bowls SET v = $1 WHERE id = 1 AND epoch = $2`, v, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

type keys struct {
	c *clientv3.Client
	m *concurrency.Mutex
}

func (k *keys) Lock(ctx context.Context) (int64, error) {
	//fencelint:lock correctness
	if err := k.m.Lock(ctx); err != nil {
		return 0, err
	}
	return k.m.Header().Revision, nil
}

func (k *keys) Save(ctx context.Context, v string, _ int64) error {
	res, err := k.c.Txn(ctx).If(k.m.IsOwner()).Then(clientv3.OpPut("/bowls/v", v)).Commit()
	if err != nil {
		return err
	}
	if !res.Succeeded {
		return context.Canceled
	}
	return nil
}

// runner works on the store that it has.
type runner struct{ s store }

func (r *runner) good(ctx context.Context) error {
	epoch, err := r.s.Lock(ctx)
	if err != nil {
		return err
	}
	return r.s.Save(ctx, "x", epoch)
}

func good(ctx context.Context, s store) error {
	epoch, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	return s.Save(ctx, "x", epoch)
}

// bad locks one store and writes to another, which may be of the other kind.
func bad(ctx context.Context, from, to store) error {
	epoch, err := from.Lock(ctx)
	if err != nil {
		return err
	}
	return to.Save(ctx, "x", epoch)
}

func chosen(name string) store {
	if name == "table" {
		return &table{} // want "equaladmitted"
	}
	return &keys{} // want "unfencedwrite"
}

func main() {
	ctx, s := context.Background(), chosen(os.Getenv("STORE"))
	var err error
	switch os.Getenv("WAY") {
	case "runner":
		err = (&runner{s}).good(ctx)
	case "function":
		err = good(ctx, s)
	default:
		err = bad(ctx, chosen(os.Getenv("FROM")), chosen(os.Getenv("TO")))
	}
	if err != nil {
		panic(err)
	}
}
