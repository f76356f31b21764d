// Package main holds a lock around an interface for which nothing is seen to choose
// what implements it, and around a function of which the track is lost.
package main // want "unprovedwrite"

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type putter interface {
	Put(ctx context.Context, key, val string) error
}

type remote struct{ kv clientv3.KV }

func (r remote) Put(ctx context.Context, key, val string) error {
	_, err := r.kv.Put(ctx, key, val)
	return err
}

type app struct {
	session *concurrency.Session
	kv      putter // filled in by reflection
	db      *sql.DB
}

func (a *app) put(ctx context.Context) error {
	mu := concurrency.NewMutex(a.session, "/locks/unchosen")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return a.kv.Put(ctx, "/a", "b")
}

type state func(ctx context.Context) (state, error)

func (a *app) steps(ctx context.Context) (err error) {
	mu := concurrency.NewMutex(a.session, "/locks/steps")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	var last state = func(ctx context.Context) (state, error) {
		_, err := a.db.ExecContext(ctx, "UPDATE steps SET a = 1")
		return nil, err
	}
	next := state(func(context.Context) (state, error) { return last, nil })
	for next != nil {
		if next, err = next(ctx); err != nil { // want "unprovedwrite"
			return err
		}
	}
	return nil
}

func main() {
	var a app
	if err := a.put(context.Background()); err != nil {
		panic(err)
	}
	if err := a.steps(context.Background()); err != nil {
		panic(err)
	}
}
