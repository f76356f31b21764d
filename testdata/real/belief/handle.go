package belief

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Keys keeps the locks that it has by name, and the values that it has seen.
type Keys struct {
	Client *clientv3.Client
	DB     *sql.DB
	held   map[string]*concurrency.Mutex
	seen   map[string]int
}

// Take acquires a lock that lasts until Give.
func (k *Keys) Take(ctx context.Context, session *concurrency.Session, name string) error {
	m := concurrency.NewMutex(session, name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	k.held[name] = m
	k.seen[name] = 1
	return nil
}

// Give gives it back.
func (k *Keys) Give(ctx context.Context, name string) error {
	m, ok := k.held[name]
	if !ok {
		return nil
	}
	delete(k.held, name)
	return m.Unlock(ctx)
}

// Forget leaves nothing to see.
func (k *Keys) Forget(name string) { delete(k.seen, name) }

// Open writes while the lock is kept.
func (k *Keys) Open(ctx context.Context, name string) error {
	if _, ok := k.held[name]; !ok {
		return ErrNotLeader
	}
	_, err := k.DB.ExecContext(ctx, `UPDATE doors SET state = 'open' WHERE id = 7`) // want "checknotfence"
	return err
}

// Count writes what was seen, whoever has the lock.
func (k *Keys) Count(ctx context.Context, name string) error {
	if n, ok := k.seen[name]; ok {
		_, err := k.DB.ExecContext(ctx, `UPDATE visits SET n = $1 WHERE id = 8`, n)
		return err
	}
	return nil
}
