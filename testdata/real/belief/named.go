package belief

import (
	"context"
	"database/sql"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Ferry keeps the name of the leader, as the coordinator tells it.
type Ferry struct {
	Client *clientv3.Client
	DB     *sql.DB
	Name   string

	mu    sync.RWMutex
	first string
}

// Campaign leads until the end.
func (f *Ferry) Campaign(ctx context.Context, session *concurrency.Session) error {
	//fencelint:lock correctness
	if err := concurrency.NewElection(session, "/ferry").Campaign(ctx, f.Name); err != nil {
		return err
	}
	<-session.Done()
	return nil
}

// Watch hears who leads.
func (f *Ferry) Watch(ctx context.Context, election *concurrency.Election) {
	told := election.Observe(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case resp := <-told:
			if len(resp.Kvs) == 0 {
				continue
			}
			f.mu.Lock()
			f.first = string(resp.Kvs[0].Value)
			f.mu.Unlock()
		}
	}
}

// Leader is the name of the leader.
func (f *Ferry) Leader() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.first
}

func (f *Ferry) leads() bool { return f.Leader() == f.Name }

// Cross goes where it leads, and greets the leader anyway.
func (f *Ferry) Cross(ctx context.Context) error {
	if !f.leads() {
		_, err := f.DB.ExecContext(ctx, `UPDATE greetings SET text = $1 WHERE id = 1`, f.Leader())
		return err
	}
	_, err := f.DB.ExecContext(ctx, `UPDATE ferries SET side = 'far' WHERE id = 1`) // want "checknotfence"
	return err
}
