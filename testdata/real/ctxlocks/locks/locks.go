// Package locks takes session locks on one connection.
package locks

import (
	"context"
	"database/sql"
	"hash/fnv"
)

// Session takes the locks.
type Session struct{ Conn *sql.Conn }

func number(key string) int64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return int64(h.Sum64())
}

// TryLock returns a context that has ended where the lock is another's.
func (s *Session) TryLock(parent context.Context, key string) (context.Context, context.CancelFunc) {
	child, end := context.WithCancel(parent)
	var got bool
	err := s.Conn.QueryRowContext(parent, "SELECT pg_try_advisory_lock($1)", number(key)).Scan(&got) // want "lockclass"
	if err != nil || !got {
		end()
		return child, end
	}
	return child, s.unlock(key, end)
}

// Lock waits.
func (s *Session) Lock(parent context.Context, key string) (context.Context, context.CancelFunc) {
	child, end := context.WithCancel(parent)
	if _, err := s.Conn.ExecContext(parent, "SELECT pg_advisory_lock($1)", number(key)); err != nil { // want "lockclass"
		end()
		return child, end
	}
	return child, s.unlock(key, end)
}

func (s *Session) unlock(key string, end context.CancelFunc) context.CancelFunc {
	return func() {
		defer end()
		_, _ = s.Conn.ExecContext(context.Background(), "SELECT pg_advisory_unlock($1)", number(key))
	}
}
