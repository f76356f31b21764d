package belief

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Wharf closes a channel when the wait for its lock is over.
type Wharf struct {
	DB     *sql.DB
	Client *clientv3.Client
	over   chan struct{}
	won    chan struct{}
}

// Over closes it whether the lock was acquired or not: that tells of the wait alone.
func (w *Wharf) Over(ctx context.Context, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/wharf")
	//fencelint:lock correctness
	err := m.Lock(ctx)
	close(w.over)
	if err != nil {
		return err
	}
	<-s.Done()
	return m.Unlock(context.WithoutCancel(ctx))
}

// Note writes when the wait is over.
func (w *Wharf) Note(ctx context.Context) error {
	<-w.over
	_, err := w.DB.ExecContext(ctx, `UPDATE waits SET ended = now() WHERE host = 'a'`)
	return err
}

// Won closes it where the lock was acquired.
func (w *Wharf) Won(ctx context.Context, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/wharf/won")
	//fencelint:lock correctness
	err := m.Lock(ctx)
	if err != nil {
		return err
	}
	close(w.won)
	<-s.Done()
	return m.Unlock(context.WithoutCancel(ctx))
}

// Load writes from then on.
func (w *Wharf) Load(ctx context.Context) error {
	<-w.won
	_, err := w.DB.ExecContext(ctx, `UPDATE loads SET n = n + 1 WHERE id = 1`) // want "checknotfence"
	return err
}
