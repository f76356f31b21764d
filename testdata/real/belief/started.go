package belief

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Gate opens when its process leads, for good.
type Gate struct {
	Client *clientv3.Client
	DB     *sql.DB
	open   chan struct{}
	ready  chan struct{}
}

// Lead opens the gate and keeps the lock until the end.
func (g *Gate) Lead(ctx context.Context) error {
	session, err := concurrency.NewSession(g.Client)
	if err != nil {
		return err
	}
	m := concurrency.NewMutex(session, "/gate")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	close(g.open)
	select {
	case <-ctx.Done():
	case <-session.Done():
	}
	return m.Unlock(context.WithoutCancel(ctx))
}

// Serve writes from the time on when the gate is open.
func (g *Gate) Serve(ctx context.Context) error {
	select {
	case <-g.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err := g.DB.ExecContext(ctx, `UPDATE doors SET state = 'open' WHERE id = 1`) // want "checknotfence"
	return err
}

// Prepare does some work under a lock and tells when that is done.
func (g *Gate) Prepare(ctx context.Context) error {
	session, err := concurrency.NewSession(g.Client)
	if err != nil {
		return err
	}
	m := concurrency.NewMutex(session, "/prepare")
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	close(g.ready)
	return m.Unlock(ctx)
}

// Use waits for the work, not for the lock.
func (g *Gate) Use(ctx context.Context) error {
	<-g.ready
	_, err := g.DB.ExecContext(ctx, `UPDATE doors SET used = used + 1 WHERE id = 2`)
	return err
}
