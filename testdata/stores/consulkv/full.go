package consulkv

import "github.com/hashicorp/consul/api"

const limit = 60

// BadFull sends a list when it is full, and begins a new one.
func BadFull(l *api.Lock, kv *api.KV, stop <-chan struct{}, names []string) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ops := api.KVTxnOps{{Verb: api.KVDeleteTree, Key: "shelves/"}}
	for _, name := range names {
		ops = append(ops, &api.KVTxnOp{Verb: api.KVSet, Key: "shelves/" + name})
		if len(ops) < limit {
			continue
		}
		if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok { // want "unfencedwrite"
			return errConflict
		}
		ops = api.KVTxnOps{}
	}
	if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok { // want "unfencedwrite"
		return errConflict
	}
	return nil
}

// GoodFull begins each list with a look at the session of the lock.
func GoodFull(l *api.Lock, kv *api.KV, session string, stop <-chan struct{}, names []string) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	held := &api.KVTxnOp{Verb: api.KVCheckSession, Key: "lock", Session: session}
	ops := api.KVTxnOps{held}
	for _, name := range names {
		ops = append(ops, &api.KVTxnOp{Verb: api.KVSet, Key: "shelves/" + name})
		if len(ops) < limit {
			continue
		}
		if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok {
			return errConflict
		}
		ops = api.KVTxnOps{held}
	}
	if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok {
		return errConflict
	}
	return nil
}

// OnceFull looks at the session in the first list only.
func OnceFull(l *api.Lock, kv *api.KV, session string, stop <-chan struct{}, names []string) error {
	//fencelint:lock correctness
	lost, err := l.Lock(stop)
	if err != nil {
		return err
	}
	if lost == nil {
		return errConflict
	}
	defer l.Unlock()
	ops := api.KVTxnOps{{Verb: api.KVCheckSession, Key: "lock", Session: session}}
	for _, name := range names {
		ops = append(ops, &api.KVTxnOp{Verb: api.KVSet, Key: "shelves/" + name})
		if len(ops) < limit {
			continue
		}
		if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok { // want "unfencedwrite"
			return errConflict
		}
		ops = nil
	}
	if ok, _, _, err := kv.Txn(ops, nil); err != nil || !ok { // want "unfencedwrite"
		return errConflict
	}
	return nil
}
