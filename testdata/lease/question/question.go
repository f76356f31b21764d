// Package question asks the coordinator whether the lock is still there, and then writes.
package question

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errGone = errors.New("the lock is gone")

// ask reads the key of the lock.
func ask(ctx context.Context, cli *clientv3.Client, s *concurrency.Session, v string) error {
	m := concurrency.NewMutex(s, "/ask")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	got, err := cli.Get(ctx, m.Key())
	if err != nil {
		return err
	}
	if len(got.Kvs) == 0 {
		return errGone
	}
	_, err = cli.Put(ctx, "/asked", v) // want "checkthenact"
	return err
}

// probe sends a transaction that changes nothing.
func probe(ctx context.Context, cli *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/probe")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errGone
	}
	_, err = cli.Delete(ctx, "/probed") // want "checkthenact"
	return err
}

// together asks in the transaction that changes.
func together(ctx context.Context, cli *clientv3.Client, s *concurrency.Session) error {
	m := concurrency.NewMutex(s, "/together")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r, err := cli.Txn(ctx).If(m.IsOwner()).Then(clientv3.OpDelete("/together/v")).Commit()
	if err != nil {
		return err
	}
	if !r.Succeeded {
		return errGone
	}
	return nil
}

// name looks whether the key holds its value.
func name(ctx context.Context, rdb *redis.Client, db *sql.DB, id int64) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "lock:name", me, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errGone
	}
	if v, err := rdb.Get(ctx, "lock:name").Result(); err != nil || v != me {
		return errors.Join(errGone, err)
	}
	_, err = db.ExecContext(ctx, `UPDATE names SET known = true WHERE id = $1`, id) // want "checkthenact"
	return err
}

var mine = redis.NewScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
return 1`)

// partly writes under a name that is new in part.
func partly(ctx context.Context, rdb *redis.Client, v string) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	me := host + "/" + uuid.NewString()
	//fencelint:lock correctness
	ok, err := rdb.SetNX(ctx, "{part}:lock", me, time.Minute).Result()
	if err != nil {
		return err
	}
	if !ok {
		return errGone
	}
	n, err := mine.Run(ctx, rdb, []string{"{part}:lock", "{part}:v"}, me, v).Int()
	if err != nil {
		return err
	}
	if n == 0 {
		return errGone
	}
	return nil
}
