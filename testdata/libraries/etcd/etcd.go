// Package etcd uses mutexes and elections of etcd v3.
package etcd

import (
	"context"
	"database/sql"
	"errors"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

const (
	open   = `UPDATE stalls SET open = true WHERE id = 1`
	fenced = `UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

var errStale = errors.New("another owner came after")

func admit(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Unfenced holds a mutex, and nothing refuses its write.
func Unfenced(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/stall/1")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Fenced presents the revision of the grant.
func Fenced(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/stall/2")
	//fencelint:lock correctness
	if err := m.TryLock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return admit(db.ExecContext(ctx, fenced, m.Header().Revision))
}

// Owned lets etcd itself compare the owner.
func Owned(ctx context.Context, s *concurrency.Session, cli *clientv3.Client) error {
	m := concurrency.NewMutex(s, "/stall/3")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpPut("/price/3", "7")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errStale
	}
	return nil
}

// Elected presents the revision of its election.
func Elected(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/market")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(ctx)
	return admit(db.ExecContext(ctx, `UPDATE markets SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, e.Rev()))
}

// WrongNumber presents the header of the last request, which moves in one tenure.
func WrongNumber(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/town")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(ctx)
	return admit(db.ExecContext(ctx, `UPDATE towns SET fair = true, fence = $1 WHERE id = 1 AND fence < $1`, e.Header().Revision)) // want "volatiletoken"
}

// NotTaken goes on without the lock.
func NotTaken(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/stall/4")
	//fencelint:lock correctness
	_ = m.TryLock(ctx) // want "acquireignored"
	defer m.Unlock(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Resumed takes over an election that somebody else won.
func Resumed(ctx context.Context, s *concurrency.Session, key string, rev int64, db *sql.DB) error {
	//fencelint:lock correctness
	e := concurrency.ResumeElection(s, "/market", key, rev) // want "lockstolen"
	defer e.Resign(ctx)
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Believed asks the session's key, not the receiver.
func Believed(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	e := concurrency.NewElection(s, "/village")
	//fencelint:lock correctness
	if err := e.Campaign(ctx, "me"); err != nil {
		return err
	}
	defer e.Resign(ctx)
	if err := e.Proclaim(ctx, "still me"); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, open) // want "checknotfence"
	return err
}

// OtherKey reads the revision of a key that is not its own.
func OtherKey(ctx context.Context, s *concurrency.Session, cli *clientv3.Client, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/barn/1")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	r, err := cli.Get(ctx, "/barn/1", clientv3.WithFirstCreate()...)
	if err != nil || len(r.Kvs) == 0 {
		return errors.Join(errStale, err)
	}
	return admit(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, r.Kvs[0].CreateRevision)) // want "unboundcounter"
}

// OwnKey reads that of its own, which no other owner has.
func OwnKey(ctx context.Context, s *concurrency.Session, cli *clientv3.Client, db *sql.DB) error {
	m := concurrency.NewMutex(s, "/shed/1")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	r, err := cli.Get(ctx, m.Key())
	if err != nil || len(r.Kvs) == 0 {
		return errors.Join(errStale, err)
	}
	return admit(db.ExecContext(ctx, `UPDATE sheds SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, r.Kvs[0].CreateRevision))
}
