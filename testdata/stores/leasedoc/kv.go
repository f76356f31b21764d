package leasedoc

import (
	"encoding/json"
	"time"

	"github.com/hashicorp/consul/api"
)

// Claim is what an entry says.
type Claim struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"`
}

// Entry keeps a lease in an entry of Consul, without a session.
type Entry struct {
	kv *api.KV
	me string
}

//fencelint:lock correctness
func (e *Entry) tryLock() (bool, error) {
	pair, _, err := e.kv.Get("jobs/lock", nil)
	if err != nil {
		return false, err
	}
	index := uint64(0)
	if pair != nil {
		var c Claim
		if err := json.Unmarshal(pair.Value, &c); err != nil {
			return false, err
		}
		if c.Holder != e.me && time.Now().Before(c.Until) {
			return false, nil
		}
		index = pair.ModifyIndex
	}
	data, err := json.Marshal(Claim{Holder: e.me, Until: time.Now().Add(time.Minute)})
	if err != nil {
		return false, err
	}
	ok, _, err := e.kv.CAS(&api.KVPair{Key: "jobs/lock", Value: data, ModifyIndex: index}, nil)
	return ok, err
}

// Work writes while it has the lease.
func (e *Entry) Work(state []byte) error {
	ok, err := e.tryLock()
	if err != nil || !ok {
		return err
	}
	_, err = e.kv.Put(&api.KVPair{Key: "jobs/state", Value: state}, nil) // want "unfencedwrite"
	return err
}

// Visit is an entry that is no lock.
func (e *Entry) Visit(v Claim, index uint64) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, _, err = e.kv.CAS(&api.KVPair{Key: "visits/last", Value: data, ModifyIndex: index}, nil)
	return err
}
