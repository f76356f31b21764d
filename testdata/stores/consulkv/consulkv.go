// Package consulkv writes keys of Consul.
package consulkv

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/hashicorp/consul/api"
)

var errConflict = errors.New("the key was changed by someone else")

func lock(ctx context.Context, lc *redislock.Client) (*redislock.Lock, error) {
	//fencelint:lock correctness
	return lc.Obtain(ctx, "lock:state", time.Minute, nil)
}

// GoodCAS reports a refusal.
func GoodCAS(ctx context.Context, lc *redislock.Client, kv *api.KV, readAt uint64, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	ok, _, err := kv.CAS(&api.KVPair{Key: "state", Value: state, ModifyIndex: readAt}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	return nil
}

// BadCAS drops the boolean that says whether it was written.
func BadCAS(ctx context.Context, lc *redislock.Client, kv *api.KV, readAt uint64, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, _, err = kv.CAS(&api.KVPair{Key: "state", Value: state, ModifyIndex: readAt}, nil) // want "rejectionignored"
	return err
}

// BadPut compares nothing.
func BadPut(ctx context.Context, lc *redislock.Client, kv *api.KV, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = kv.Put(&api.KVPair{Key: "state", Value: state}, nil) // want "unfencedwrite"
	return err
}

// GoodTxn writes only while the session of the lock holds its key.
func GoodTxn(l *api.Lock, kv *api.KV, session string, stop <-chan struct{}, state []byte) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ok, _, _, err := kv.Txn(api.KVTxnOps{
		{Verb: api.KVCheckSession, Key: "lock", Session: session},
		{Verb: api.KVSet, Key: "state", Value: state},
	}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	return nil
}

// BadTxn checks neither session nor index.
func BadTxn(ctx context.Context, lc *redislock.Client, kv *api.KV, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	ok, _, _, err := kv.Txn(api.KVTxnOps{{Verb: api.KVSet, Key: "state", Value: state}}, nil) // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	return nil
}

// BadDelete compares nothing.
func BadDelete(ctx context.Context, lc *redislock.Client, kv *api.KV) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = kv.Delete("state", nil) // want "unfencedwrite"
	return err
}
