// Package objectfence keeps the epoch in the object that a compare-and-set replaces: whoever
// reads a newer one stops, and the store refuses what rests on an older object.
package objectfence

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/go-zookeeper/zk"
	consul "github.com/hashicorp/consul/api"
	"github.com/nats-io/nats.go/jetstream"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

var errStale = errors.New("stale")

// Store writes documents.
type Store struct {
	s *concurrency.Session
	k kubernetes.Interface
	z *zk.Conn
	c *consul.KV
	n jetstream.KeyValue
}

type doc struct {
	Epoch int64
	V     string
}

func (s *Store) with(ctx context.Context, key string, fn func(context.Context, int64) error) error {
	m := concurrency.NewMutex(s.s, "/locks/"+key)
	//fencelint:lock correctness contract=fence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return fn(ctx, m.Header().Revision)
}

// GoodAnnotation keeps it in an annotation.
func (s *Store) GoodAnnotation(ctx context.Context, v string) error {
	return s.with(ctx, "k", func(ctx context.Context, e int64) error {
		cms := s.k.CoreV1().ConfigMaps("ns")
		cm, err := cms.Get(ctx, "k", metav1.GetOptions{})
		if err != nil {
			return err
		}
		cur, err := strconv.ParseInt(cm.Annotations["epoch"], 10, 64)
		if err != nil {
			return err
		}
		if cur > e {
			return errStale
		}
		cm.Annotations["epoch"] = strconv.FormatInt(e, 10)
		cm.Data["v"] = v
		_, err = cms.Update(ctx, cm, metav1.UpdateOptions{})
		return err
	})
}

// GoodNode keeps it in the data of a node.
func (s *Store) GoodNode(ctx context.Context, v string) error {
	return s.with(ctx, "z", func(ctx context.Context, e int64) error {
		raw, st, err := s.z.Get("/z")
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		_, err = s.z.Set("/z", out, st.Version)
		return err
	})
}

// GoodRevision keeps it in the value of a key.
func (s *Store) GoodRevision(ctx context.Context, v string) error {
	return s.with(ctx, "e", func(ctx context.Context, e int64) error {
		c := s.s.Client()
		resp, err := c.Get(ctx, "/e")
		if err != nil {
			return err
		}
		if len(resp.Kvs) == 0 {
			return errStale
		}
		var d doc
		if err := json.Unmarshal(resp.Kvs[0].Value, &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		tx, err := c.Txn(ctx).If(clientv3.Compare(clientv3.ModRevision("/e"), "=", resp.Kvs[0].ModRevision)).Then(clientv3.OpPut("/e", string(out))).Commit()
		if err != nil {
			return err
		}
		if !tx.Succeeded {
			return errStale
		}
		return nil
	})
}

// GoodIndex keeps it in a pair.
func (s *Store) GoodIndex(ctx context.Context, v string) error {
	return s.with(ctx, "c", func(ctx context.Context, e int64) error {
		kv, _, err := s.c.Get("c", nil)
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(kv.Value, &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		ok, _, err := s.c.CAS(&consul.KVPair{Key: "c", Value: out, ModifyIndex: kv.ModifyIndex}, nil)
		if err != nil {
			return err
		}
		if !ok {
			return errStale
		}
		return nil
	})
}

// GoodEntry keeps it in an entry.
func (s *Store) GoodEntry(ctx context.Context, v string) error {
	return s.with(ctx, "n", func(ctx context.Context, e int64) error {
		kv, err := s.n.Get(ctx, "n")
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(kv.Value(), &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		_, err = s.n.Update(ctx, "n", out, kv.Revision())
		return err
	})
}
