// Package chosen has stores that can clean, of which nobody says so.
package chosen

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/optional/asks"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

type plain struct{ db *sql.DB }

func (p *plain) Load(ctx context.Context) (n int, err error) {
	return n, p.db.QueryRowContext(ctx, `SELECT n FROM plain`).Scan(&n)
}

func (p *plain) Clean(ctx context.Context, _ int64) error {
	_, err := p.db.ExecContext(ctx, `UPDATE plain SET n = 0 WHERE id = 1`)
	return err
}

type fenced struct{ plain }

func (f *fenced) Clean(ctx context.Context, epoch int64) error {
	res, err := f.db.ExecContext(ctx, `UPDATE fenced SET n = 0, epoch = $1 WHERE id = 1 AND epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if k, err := res.RowsAffected(); err != nil || k == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type still struct{ db *sql.DB }

func (s *still) Load(ctx context.Context) (n int, err error) {
	return n, s.db.QueryRowContext(ctx, `SELECT n FROM still`).Scan(&n)
}

// Plain overwrites.
func Plain(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return asks.Run(ctx, s, &plain{db}) // want "unfencedwrite"
}

// Fenced compares.
func Fenced(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return asks.Run(ctx, s, &fenced{plain{db}})
}

// Still cannot clean.
func Still(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return asks.Run(ctx, s, &still{db})
}
