package sqltext

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"fencelint.example/real/sqltext/text"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodConst runs a constant of another package, made of constants.
func GoodConst(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, to string) error {
	mu := concurrency.NewMutex(s, "/locks/const")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, text.Move, id, mu.Header().Revision, to)
	return text.One(res, err)
}

// GoodTable has a table a year.
func GoodTable(ctx context.Context, s *concurrency.Session, db *sql.DB, year int, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/table")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := fmt.Sprintf(`UPDATE parcels_%04d SET sent = true, fence = $2 WHERE id = $1 AND fence < $2`, year)
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision)
	return text.One(res, err)
}

// GoodAppend appends columns to set, never conditions; the comparison stands on each way.
func GoodAppend(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, urgent bool) error {
	mu := concurrency.NewMutex(s, "/locks/append")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := `UPDATE letters SET sent = true, fence = $2`
	if urgent {
		stmt += `, urgent = true`
	}
	stmt += ` WHERE id = $1 AND fence < $2`
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision)
	return text.One(res, err)
}

// GoodNarrow appends a condition that can only refuse more.
func GoodNarrow(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, unread bool) error {
	mu := concurrency.NewMutex(s, "/locks/narrow")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := `UPDATE notes SET seen = true, fence = $2 WHERE id = $1 AND fence < $2`
	if unread {
		stmt += ` AND NOT seen`
	}
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision)
	return text.One(res, err)
}

// GoodChoice chooses between statements that all compare.
func GoodChoice(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, kind string) error {
	mu := concurrency.NewMutex(s, "/locks/choice")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	stmt := `UPDATE maps SET folded = true, fence = $2 WHERE id = $1 AND fence < $2`
	switch kind {
	case "atlas":
		stmt = `UPDATE atlases SET shut = true, fence = $2 WHERE id = $1 AND fence < $2`
	case "globe":
		stmt = `UPDATE globes SET turned = turned + 1, fence = $2 WHERE id = $1 AND $2 > fence`
	}
	res, err := db.ExecContext(ctx, stmt, id, mu.Header().Revision)
	return text.One(res, err)
}

// GoodBuilder writes the statement piece by piece.
func GoodBuilder(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/builder")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	var b strings.Builder
	b.WriteString("UPDATE stamps_kept SET used = true, fence = $2\n")
	b.WriteString(" WHERE id = $1\n")
	b.WriteString("   AND fence < $2")
	res, err := db.ExecContext(ctx, b.String(), id, mu.Header().Revision)
	return text.One(res, err)
}

// GoodFunc has its statement from a function of another package.
func GoodFunc(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/func")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	res, err := db.ExecContext(ctx, text.Use("vouchers"), id, mu.Header().Revision)
	return text.One(res, err)
}
