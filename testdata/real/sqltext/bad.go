// Package sqltext puts statements together in the ways that people do.
package sqltext

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"fencelint.example/real/sqltext/text"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// BadConst runs a constant of another package that compares nothing.
func BadConst(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, to string) error {
	mu := concurrency.NewMutex(s, "/locks/const")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, text.MovePlain, id, to) // want "unfencedwrite"
	return err
}

// BadTable has a name for the table and nothing to compare.
func BadTable(ctx context.Context, s *concurrency.Session, db *sql.DB, year int, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/table")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, fmt.Sprintf(`UPDATE parcels_plain_%04d SET sent = true WHERE id = $1`, year), id) // want "unfencedwrite"
	return err
}

// BadAppend compares on one of two ways only.
func BadAppend(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, force bool) error {
	mu := concurrency.NewMutex(s, "/locks/append")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt, args := `UPDATE letters_plain SET sent = true`, []any{id}
	if force {
		stmt += ` WHERE id = $1`
	} else {
		stmt += `, fence = $2 WHERE id = $1 AND fence < $2`
		args = append(args, mu.Header().Revision)
	}
	res, err := db.ExecContext(ctx, stmt, args...) // want "unfencedwrite"
	return text.One(res, err)
}

// BadHole has a condition that is known only when it runs.
func BadHole(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, cond string) error {
	mu := concurrency.NewMutex(s, "/locks/hole")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, // want "unprovedwrite"
		fmt.Sprintf(`UPDATE cards SET sent = true, fence = $2 WHERE id = $1 AND %s`, cond), id, mu.Header().Revision)
	return text.One(res, err)
}

// BadTail compares, and then lets anything follow.
func BadTail(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, tail string) error {
	mu := concurrency.NewMutex(s, "/locks/tail")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := `UPDATE stamps SET used = true, fence = $2 WHERE id = $1 AND fence < $2 ` + tail
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision) // want "unprovedwrite"
	return text.One(res, err)
}

// BadOperator leaves the operator open.
func BadOperator(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, op string) error {
	mu := concurrency.NewMutex(s, "/locks/op")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := fmt.Sprintf("UPDATE seals SET broken = true, fence = $2 WHERE id = $1 AND fence %s $2", op)
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision) // want "unprovedwrite"
	return text.One(res, err)
}

// BadFile runs text that is read from a file at run time.
func BadFile(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/file")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt, err := os.ReadFile("stamp.sql")
	if err != nil {
		return err
	}
	res, err := db.ExecContext(ctx, string(stmt), id, mu.Header().Revision) // want "unprovedwrite"
	return text.One(res, err)
}

// BadJoin joins conditions that come from outside.
func BadJoin(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, conds []string) error {
	mu := concurrency.NewMutex(s, "/locks/join")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := `UPDATE tickets SET used = true, fence = $2 WHERE ` + strings.Join(conds, " AND ")
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision) // want "unprovedwrite"
	return text.One(res, err)
}
