// Package store loads sessions with their locks.
package store

import (
	"context"

	"fencelint.example/real/nullobject/etcd"
	"fencelint.example/real/nullobject/session"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Store keeps sessions.
type Store interface {
	Load(ctx context.Context, id int64) (*session.Session, error)
}

type remote struct{ s *concurrency.Session }

// New is the store of the program.
func New(s *concurrency.Session) Store { return &remote{s} }

func (r *remote) Load(ctx context.Context, id int64) (*session.Session, error) {
	s := &session.Session{ID: id}
	s.Lock = etcd.New(r.s, "session")
	return s, nil
}
