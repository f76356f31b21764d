// Package work writes under a lock, and knows no store.
package work

import (
	"context"

	"fencelint.example/real/wired/store"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Run saves a number.
func Run(ctx context.Context, s *concurrency.Session, st store.Store) error {
	mu := concurrency.NewMutex(s, "/locks/numbers")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return st.Save(ctx, mu.Header().Revision, 1)
}
