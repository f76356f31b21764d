// Package largemap says its conditions in maps whose values are too large to follow.
package largemap

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errMoved = errors.New("it was changed since it was read")

type quota struct {
	tenant         string
	limit, version int64
}

func list(ctx context.Context, db *sql.DB, table string) ([]quota, error) {
	rows, err := sq.Select("tenant", "quota", "version").From(table).RunWith(db).QueryContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", table, err)
	}
	defer rows.Close()
	var out []quota
	for rows.Next() {
		var q quota
		if err := rows.Scan(&q.tenant, &q.limit, &q.version); err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, rows.Err()
}

// Versions moves the versions that it has read.
func Versions(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	qs, err := list(ctx, db, "budgets")
	if err != nil {
		return err
	}
	for _, q := range qs {
		res, err := sq.Update("budgets").Set("quota", q.limit+1).Set("version", q.version+1).
			Where(sq.Eq{"tenant": q.tenant, "version": q.version}).RunWith(db).ExecContext(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errMoved, err)
		}
	}
	return nil
}

// Tenants writes over what is there.
func Tenants(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	qs, err := list(ctx, db, "quotas")
	if err != nil {
		return err
	}
	for _, q := range qs {
		_, err := sq.Update("quotas").Set("quota", q.limit+1).Set("version", q.version+1). // want "unfencedwrite"
													Where(sq.Eq{"tenant": q.tenant}).RunWith(db).ExecContext(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}
