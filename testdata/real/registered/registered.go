// Package registered has handlers that take a lock and keep it. Who registers them has none.
package registered

import (
	"context"
	"database/sql"
	"net/http"
)

type server struct {
	mux  *http.ServeMux
	conn *sql.Conn
	pool *sql.DB
}

// lock is for as long as the process lives.
func (s *server) lock(ctx context.Context) error {
	//fencelint:lock correctness
	_, err := s.conn.ExecContext(ctx, `SELECT pg_advisory_lock(5)`)
	return err
}

// nightly is a handler that writes under the lock.
func (s *server) nightly() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.lock(r.Context()); err != nil {
			http.Error(w, "later", http.StatusConflict)
			return
		}
		if _, err := s.pool.ExecContext(r.Context(), `UPDATE totals SET sum = sum + 1 WHERE id = 1`); err != nil { // want "unfencedwrite"
			http.Error(w, "failed", http.StatusInternalServerError)
		}
	})
}

// Routes registers it, and writes without it.
func (s *server) Routes(ctx context.Context) error {
	s.mux.Handle("/nightly", s.nightly())
	s.mux.HandleFunc("/hourly", func(w http.ResponseWriter, r *http.Request) {
		if err := s.lock(r.Context()); err != nil {
			http.Error(w, "later", http.StatusConflict)
		}
	})
	_, err := s.pool.ExecContext(ctx, `UPDATE starts SET n = n + 1 WHERE id = 1`)
	return err
}

// Once has it taken by a function that it has called, and writes under it.
func (s *server) Once(ctx context.Context, try func(func() error) error) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	_, err := s.pool.ExecContext(ctx, `UPDATE totals SET sum = sum + 1 WHERE id = 2`) // want "unfencedwrite"
	return err
}
