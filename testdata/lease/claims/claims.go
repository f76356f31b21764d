// Package claims takes rows and documents.
package claims

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	clientv3 "go.etcd.io/etcd/client/v3"
)

const plain = `UPDATE farms SET ploughed = true WHERE id = 1`

var errBusy = errors.New("busy")

// BadRow never asks how many rows the claim changed.
func BadRow(ctx context.Context, pool *pgxpool.Pool, me string) error {
	//fencelint:lock correctness
	_, err := pool.Exec(ctx, `UPDATE jobs SET owner = $1 WHERE id = 1 AND owner IS NULL`, me) // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodRow asks.
func GoodRow(ctx context.Context, pool *pgxpool.Pool, me string) error {
	//fencelint:lock correctness
	tag, err := pool.Exec(ctx, `UPDATE jobs SET owner = $1 WHERE id = 2 AND owner IS NULL`, me)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return errBusy
	}
	_, err = pool.Exec(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodInsert is refused by an error.
func GoodInsert(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	if _, err := db.ExecContext(ctx, `INSERT INTO locks (name, owner) VALUES ('a', $1)`, me); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadNothing is refused without one.
func BadNothing(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	if _, err := db.ExecContext(ctx, `INSERT INTO locks (name, owner) VALUES ('b', $1) ON CONFLICT DO NOTHING`, me); err != nil { // want "acquireignored"
		return err
	}
	_, err := db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodScan is refused by ErrNoRows.
func GoodScan(ctx context.Context, db *sql.DB, me string) error {
	var id int64
	//fencelint:lock correctness
	err := db.QueryRowContext(ctx, `UPDATE jobs SET owner = $1 WHERE owner IS NULL RETURNING id`, me).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// BadTxn never looks whether its condition held.
func BadTxn(ctx context.Context, cli *clientv3.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	_, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/l"), "=", 0)).Then(clientv3.OpPut("/l", me)).Commit() // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}

// GoodTxn looks.
func GoodTxn(ctx context.Context, cli *clientv3.Client, db *sql.DB, me string) error {
	//fencelint:lock correctness
	resp, err := cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision("/m"), "=", 0)).Then(clientv3.OpPut("/m", me)).Commit()
	if err != nil {
		return err
	}
	if !resp.Succeeded {
		return errBusy
	}
	_, err = db.ExecContext(ctx, plain) // want "unfencedwrite"
	return err
}
