package gaveback

import (
	"context"
	"database/sql"
	"fmt"
)

type pgStore struct{ db *sql.DB }

func (s *pgStore) Lock(ctx context.Context, key string, _ uint64) (Lock, error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(hashtext($1))", key); err != nil { // taken
		conn.Close()
		return nil, fmt.Errorf("lock: %w", err)
	}
	return &pgLock{conn, 3}, nil
}

func (s *pgStore) Unlock(ctx context.Context, l Lock) error {
	if l == nil {
		return nil
	}
	return l.Release()
}

func (s *pgStore) Put(ctx context.Context, key string, value []byte) error {
	_, err := s.db.ExecContext(ctx, "UPDATE samples SET value = $2 WHERE key = $1", key, value)
	return err
}

// NewSampler samples into PostgreSQL.
func NewSampler(db *sql.DB) *sampler { return &sampler{store: &pgStore{db}} }
