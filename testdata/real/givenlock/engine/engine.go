// Package engine lets one process run the steps.
package engine

import (
	"context"
	"database/sql"

	"fencelint.example/real/givenlock/kept"
	"fencelint.example/real/givenlock/steps"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type held struct{ mu *concurrency.Mutex }

func (h held) Release(ctx context.Context) error { return h.mu.Unlock(ctx) }

type delegate struct{ s *concurrency.Session }

func (d *delegate) WaitToRun(ctx context.Context) (kept.Lock, bool, error) {
	mu := concurrency.NewMutex(d.s, "/locks/steps")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return nil, false, err
	}
	return held{mu}, true, nil
}

func (d *delegate) Ready(context.Context) (bool, error) { return true, nil }

// Run runs a step under the lock.
func Run(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return steps.Locked(ctx, &delegate{s}, db) // want "unfencedwrite"
}

// RunFree runs one without.
func RunFree(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	return steps.Free(ctx, &delegate{s}, db)
}
