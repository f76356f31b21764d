// Package otherschema writes tables with and without the schema in which they stand.
package otherschema

import (
	"context"
	"database/sql"
	"errors"

	_ "github.com/lib/pq"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store keeps orders and their archive.
type Store struct {
	s  *concurrency.Session
	db *sql.DB
}

func (s *Store) write(ctx context.Context, key, query string, id int64) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	res, err := s.db.ExecContext(ctx, query, id, m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("stale owner"), err)
	}
	return nil
}

// Pay is guarded.
func (s *Store) Pay(ctx context.Context, id int64) error {
	return s.write(ctx, "orders", `UPDATE orders SET paid = true, fence = $2 WHERE id = $1 AND fence < $2`, id)
}

// Reset goes past the guard, by the name with the schema that others leave out.
func (s *Store) Reset(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE "public"."orders" SET paid = false WHERE id = $1`, id) // want "bypasswrite"
	return err
}

// Ship is guarded, in a schema of the program's own.
func (s *Store) Ship(ctx context.Context, id int64) error {
	return s.write(ctx, "parcels", `UPDATE depot.parcels SET sent = true, fence = $2 WHERE id = $1 AND fence < $2`, id)
}

// Archive writes another table of that name.
func (s *Store) Archive(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE archive.parcels SET sent = true WHERE id = $1`, id)
	return err
}
