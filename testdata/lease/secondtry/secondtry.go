// Package secondtry takes a lease over where the first statement met one that is there.
package secondtry

import (
	"context"
	"database/sql"

	_ "github.com/jackc/pgx/v5/stdlib"

	"fencelint.example/lease/secondtry/store"
)

type node struct {
	db   *sql.DB
	name string
}

func open() (*sql.DB, error) { return sql.Open("pgx", "") }

func (n *node) elect(ctx context.Context) (bool, error) {
	//fencelint:lock correctness
	res, err := store.Exec(ctx, n.db, "INSERT INTO leaders (id, owner, seen) VALUES (1, $1, now()) ON CONFLICT DO NOTHING", n.name)
	if err != nil {
		return false, err
	}
	if made, err := res.RowsAffected(); err != nil || made > 0 {
		return made > 0, err
	}
	//fencelint:lock correctness
	res, err = store.Exec(ctx, n.db, "UPDATE leaders SET owner = $1, seen = now() WHERE id = 1 AND seen < now() - interval '30 seconds'", n.name)
	if err != nil {
		return false, err
	}
	if taken, err := res.RowsAffected(); err != nil || taken > 0 {
		return taken > 0, err
	}
	return false, nil
}

func (n *node) tick(ctx context.Context) error {
	leads, err := n.elect(ctx)
	if err != nil || !leads {
		return err
	}
	_, err = n.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
	return err
}

func (n *node) hasty(ctx context.Context) error {
	//fencelint:lock correctness
	_, err := store.Exec(ctx, n.db, "INSERT INTO leaders (id, owner, seen) VALUES (1, $1, now()) ON CONFLICT DO NOTHING", n.name) // want "acquireignored"
	if err != nil {
		return err
	}
	_, err = n.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
	return err
}
