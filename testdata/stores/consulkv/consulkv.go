// Package consulkv writes keys of Consul.
package consulkv

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/google/uuid"
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

// BadVerb compares the index on one way only.
func BadVerb(ctx context.Context, lc *redislock.Client, kv *api.KV, readAt uint64, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	verb := api.KVCAS
	if readAt == 0 {
		verb = api.KVSet
	}
	ok, _, _, err := kv.Txn(api.KVTxnOps{{Verb: verb, Key: "state", Value: state, Index: readAt}}, nil) // want "unfencedwrite"
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	return nil
}

// GoodVerb compares the index, whether it writes or deletes.
func GoodVerb(ctx context.Context, lc *redislock.Client, kv *api.KV, readAt uint64, state []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	verb := api.KVCAS
	if len(state) == 0 {
		verb = api.KVDeleteCAS
	}
	ok, _, _, err := kv.Txn(api.KVTxnOps{{Verb: verb, Key: "state", Value: state, Index: readAt}}, nil)
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

// taken locks a key with a session of its own.
func taken(ctx context.Context, c *api.Client, name string, do func(session string) error) error {
	session, _, err := c.Session().Create(&api.SessionEntry{TTL: "15s"}, nil)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(&api.KVPair{Key: "locks/state", Session: session}, nil)
	if err != nil {
		return err
	}
	if !ok {
		return errConflict
	}
	defer c.KV().Release(&api.KVPair{Key: "locks/state", Session: session}, nil)
	return do(session)
}

func checked(ok bool, err error) error {
	if err == nil && !ok {
		return errConflict
	}
	return err
}

// OwnSession checks the session of the lock in the transaction that writes.
func OwnSession(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{
			{Verb: api.KVCheckSession, Key: "locks/state", Session: session},
			{Verb: api.KVSet, Key: "state/a", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// OwnSessionOther does so by the other kind of transaction, with operations added in a loop.
func OwnSessionOther(ctx context.Context, c *api.Client, parts map[string][]byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ops := api.TxnOps{{KV: &api.KVTxnOp{Verb: api.KVCheckSession, Key: "locks/state", Session: session}}}
		for name, part := range parts {
			ops = append(ops, &api.TxnOp{KV: &api.KVTxnOp{Verb: api.KVSet, Key: "state/" + name, Value: part}})
		}
		ok, _, _, err := c.Txn().Txn(ops, nil)
		return checked(ok, err)
	})
}

// Released writes and gives the lock back at once, which only its holder can.
func Released(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{
			{Verb: api.KVSet, Key: "state/c", Value: state},
			{Verb: api.KVUnlock, Key: "locks/state", Session: session},
		}, nil)
		return checked(ok, err)
	})
}

// OtherKey checks a key that is not that of the lock.
func OtherKey(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unprovedwrite"
			{Verb: api.KVCheckSession, Key: "locks/else", Session: session},
			{Verb: api.KVSet, Key: "state/d", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// ReadBack checks the session that it finds in the key: that of whoever holds it.
func ReadBack(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(string) error {
		pair, _, err := c.KV().Get("locks/state", nil)
		if err != nil {
			return err
		}
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "identityreused"
			{Verb: api.KVCheckSession, Key: "locks/state", Session: pair.Session},
			{Verb: api.KVSet, Key: "state/e", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// TakenAgain locks the key in the transaction, which a living session can that has lost it.
func TakenAgain(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unprovedwrite"
			{Verb: api.KVLock, Key: "locks/state", Session: session},
			{Verb: api.KVSet, Key: "state/f", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// TakenAndChecked takes it before it checks.
func TakenAndChecked(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unprovedwrite"
			{Verb: api.KVLock, Key: "locks/state", Session: session},
			{Verb: api.KVCheckSession, Key: "locks/state", Session: session},
			{Verb: api.KVSet, Key: "state/n", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// Absent sets a key that must not be there; AbsentAndMore another one too.
func Absent(ctx context.Context, c *api.Client, order string) error {
	return taken(ctx, c, "state", func(string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{
			{Verb: api.KVCheckNotExists, Key: "orders/" + order},
			{Verb: api.KVSet, Key: "orders/" + order},
		}, nil)
		return checked(ok, err)
	})
}

func AbsentAndMore(ctx context.Context, c *api.Client, order string) error {
	return taken(ctx, c, "state", func(string) error {
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unfencedwrite"
			{Verb: api.KVCheckNotExists, Key: "orders/" + order},
			{Verb: api.KVSet, Key: "orders/" + order},
			{Verb: api.KVSet, Key: "state/last", Value: []byte(order)},
		}, nil)
		return checked(ok, err)
	})
}

// NotHeard does not look at what the transaction answers: its error is nil.
func NotHeard(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(session string) error {
		_, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "rejectionignored"
			{Verb: api.KVCheckSession, Key: "locks/state", Session: session},
			{Verb: api.KVSet, Key: "state/g", Value: state},
		}, nil)
		return err
	})
}

// Index compares the index of what was read.
func Index(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(string) error {
		pair, _, err := c.KV().Get("state/h", nil)
		if err != nil {
			return err
		}
		ok, _, _, err := c.KV().Txn(api.KVTxnOps{
			{Verb: api.KVCheckIndex, Key: "state/h", Index: pair.ModifyIndex},
			{Verb: api.KVSet, Key: "state/i", Value: state},
		}, nil)
		return checked(ok, err)
	})
}

// Removed deletes the index that was read.
func Removed(ctx context.Context, c *api.Client) error {
	return taken(ctx, c, "state", func(string) error {
		pair, _, err := c.KV().Get("state/j", nil)
		if err != nil {
			return err
		}
		ok, _, err := c.KV().DeleteCAS(pair, nil)
		return checked(ok, err)
	})
}

// Made is the only one of its name; MadeAgain is drawn anew each time.
func Made(ctx context.Context, c *api.Client, order string) error {
	return taken(ctx, c, "state", func(string) error {
		ok, _, err := c.KV().CAS(&api.KVPair{Key: "orders/" + order, ModifyIndex: 0}, nil)
		return checked(ok, err)
	})
}

func MadeAgain(ctx context.Context, c *api.Client) error {
	return taken(ctx, c, "state", func(string) error {
		ok, _, err := c.KV().CAS(&api.KVPair{Key: "orders/" + uuid.NewString()}, nil) // want "unfencedwrite"
		return checked(ok, err)
	})
}

// Put overwrites what is there, although a session holds the lock.
func Put(ctx context.Context, c *api.Client, state []byte) error {
	return taken(ctx, c, "state", func(string) error {
		_, err := c.KV().Put(&api.KVPair{Key: "state/k", Value: state}, nil) // want "unfencedwrite"
		return err
	})
}

// ByLock checks the session that the lock was given; ByLockOther another one.
func ByLock(c *api.Client, stop <-chan struct{}, state []byte) error {
	session, _, err := c.Session().Create(&api.SessionEntry{TTL: "15s"}, nil)
	if err != nil {
		return err
	}
	l, err := c.LockOpts(&api.LockOptions{Key: "locks/l", Session: session})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ok, _, _, err := c.KV().Txn(api.KVTxnOps{
		{Verb: api.KVCheckSession, Key: "locks/l", Session: session},
		{Verb: api.KVSet, Key: "state/l", Value: state},
	}, nil)
	return checked(ok, err)
}

func ByLockOther(c *api.Client, stop <-chan struct{}, state []byte) error {
	session, _, err := c.Session().Create(&api.SessionEntry{TTL: "15s"}, nil)
	if err != nil {
		return err
	}
	l, err := c.LockKey("locks/m")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unprovedwrite"
		{Verb: api.KVCheckSession, Key: "locks/m", Session: session}, // the lock has a session of its own
		{Verb: api.KVSet, Key: "state/m", Value: state},
	}, nil)
	return checked(ok, err)
}

// ByAcquire checks the key that it has acquired.
func ByAcquire(c *api.Client, shard, session string, state []byte) error {
	lock := &api.KVPair{Key: "locks/" + shard, Session: session}
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(lock, nil)
	if err != nil || !ok {
		return errConflict
	}
	defer c.KV().Release(lock, nil)
	ok, _, _, err = c.Txn().Txn(api.TxnOps{
		{KV: &api.KVTxnOp{Verb: api.KVCheckSession, Key: "locks/" + shard, Session: session}},
		{KV: &api.KVTxnOp{Verb: api.KVSet, Key: "data/" + shard, Value: state}},
	}, nil)
	return checked(ok, err)
}

// ByOtherKey checks a key that another one may have acquired by the same session.
func ByOtherKey(c *api.Client, shard, session string, state []byte) error {
	lock := &api.KVPair{Key: "locks/" + shard, Session: session}
	//fencelint:lock correctness
	ok, _, err := c.KV().Acquire(lock, nil)
	if err != nil || !ok {
		return errConflict
	}
	defer c.KV().Release(lock, nil)
	ok, _, _, err = c.Txn().Txn(api.TxnOps{ // want "unprovedwrite"
		{KV: &api.KVTxnOp{Verb: api.KVCheckSession, Key: "members/" + shard, Session: session}},
		{KV: &api.KVTxnOp{Verb: api.KVSet, Key: "data/" + shard, Value: state}},
	}, nil)
	return checked(ok, err)
}

// ByOtherText checks another key than that of a lock of the library.
func ByOtherText(c *api.Client, stop <-chan struct{}, state []byte) error {
	session, _, err := c.Session().Create(&api.SessionEntry{TTL: "15s"}, nil)
	if err != nil {
		return err
	}
	l, err := c.LockOpts(&api.LockOptions{Key: "locks/n", Session: session})
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ok, _, _, err := c.KV().Txn(api.KVTxnOps{ // want "unprovedwrite"
		{Verb: api.KVCheckSession, Key: "locks/o", Session: session},
		{Verb: api.KVSet, Key: "state/n", Value: state},
	}, nil)
	return checked(ok, err)
}
