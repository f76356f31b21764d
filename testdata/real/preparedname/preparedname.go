// Package preparedname sends statements by the names under which they were prepared.
package preparedname

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func config(url string) (*pgxpool.Config, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Prepare(ctx, "set_spout", "UPDATE spouts SET v = $1, fence = $2 WHERE id = $3 AND fence < $2")
		return err
	}
	return cfg, nil
}

func send(ctx context.Context, s *concurrency.Session, do func(epoch int64) (rows int64, err error)) error {
	m := concurrency.NewMutex(s, "/locks/spouts")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	n, err := do(m.Header().Revision)
	if err != nil {
		return err
	}
	if n == 0 {
		return pgx.ErrNoRows
	}
	return nil
}

// Good sends one that is seen.
func Good(ctx context.Context, s *concurrency.Session, p *pgxpool.Pool, id, v string) error {
	return send(ctx, s, func(epoch int64) (int64, error) {
		tag, err := p.Exec(ctx, "set_spout", v, epoch, id)
		return tag.RowsAffected(), err
	})
}

// Bad sends one that was prepared elsewhere.
func Bad(ctx context.Context, s *concurrency.Session, p *pgxpool.Pool, id, v string) error {
	return send(ctx, s, func(epoch int64) (int64, error) {
		tag, err := p.Exec(ctx, "other_spout", v, epoch, id) // want "unprovedwrite"
		return tag.RowsAffected(), err
	})
}
