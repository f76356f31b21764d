// Package fencedstore is a driver that refuses obsolete owners.
package fencedstore

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/registry/store"
)

var errStale = errors.New("stale owner")

type db struct{ db *sql.DB }

func init() {
	store.Register("fenced", func(dsn string) (store.Store, error) {
		d, err := sql.Open("pgx", dsn)
		if err != nil {
			return nil, err
		}
		return &db{d}, nil
	})
}

// Save writes.
func (d *db) Save(ctx context.Context, fence int64, v int) error {
	res, err := d.db.ExecContext(ctx, "UPDATE pecans SET v = $1, fence = $2 WHERE id = 1 AND fence < $2", v, fence)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
