// Package sqlstore is a driver that compares nothing.
package sqlstore

import (
	"context"
	"database/sql"

	"fencelint.example/real/registry/store"
)

type db struct{ db *sql.DB }

func init() {
	store.Register("sql", func(dsn string) (store.Store, error) {
		d, err := sql.Open("pgx", dsn)
		if err != nil {
			return nil, err
		}
		return &db{d}, nil
	})
}

// Save writes.
func (d *db) Save(ctx context.Context, fence int64, v int) error {
	_, err := d.db.ExecContext(ctx, "UPDATE nuts SET v = $1 WHERE id = 1", v)
	return err
}
