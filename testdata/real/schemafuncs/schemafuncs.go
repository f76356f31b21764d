// Package schemafuncs sends statements that call functions of the schema.
package schemafuncs

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Bad writes by functions whose text is in the database.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB, id string) error {
	mu := concurrency.NewMutex(s, "/locks/schemafuncs")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	if _, err := db.ExecContext(ctx, `SELECT settle($1)`, id); err != nil { // want "unprovedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `SELECT settle(id) FROM bills`); err != nil { // want "unprovedwrite"
		return err
	}
	if err := db.QueryRowContext(ctx, `SELECT * FROM settle($1)`, id).Scan(&id); err != nil { // want "unprovedwrite"
		return err
	}
	if err := db.QueryRowContext(ctx, `WITH x AS (SELECT app.now($1)) SELECT 1 FROM x`, id).Scan(&id); err != nil { // want "unprovedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `SELECT dblink_exec('other', 'DELETE FROM bills')`); err != nil { // want "unprovedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `CALL settle($1)`, id); err != nil { // want "unprovedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `DO $$ BEGIN UPDATE bills SET settled = true; END $$`); err != nil { // want "unprovedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `SELECT * INTO settled FROM bills`); err != nil { // want "unfencedwrite"
		return err
	}
	if _, err := db.ExecContext(ctx, `EXPLAIN ANALYZE UPDATE bills SET settled = true`); err != nil { // want "unfencedwrite"
		return err
	}
	_, err := db.ExecContext(ctx, `REFRESH MATERIALIZED VIEW sums`) // want "unfencedwrite"
	return err
}

// Good calls what the database brings along, or reads with what it does not.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB, id string) error {
	mu := concurrency.NewMutex(s, "/locks/schemafuncs")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	for _, q := range []string{
		`SELECT nextval('bill_ids')`,
		`SELECT coalesce(max(sum), 0), count(*), json_agg(id), now(), pg_catalog.version() FROM bills`,
		`SELECT * FROM generate_series(1, 3)`,
		`SELECT id FROM bills WHERE due(id)`,
		`EXPLAIN SELECT 1`,
		`SHOW server_version`,
	} {
		if err := db.QueryRowContext(ctx, q).Scan(&id); err != nil {
			return err
		}
	}
	for _, q := range []string{`PRAGMA foreign_keys = on`, `VACUUM bills`, `ANALYZE bills`, `REINDEX TABLE bills`, `SET lock_timeout = 5`} {
		if _, err := db.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return nil
}
