// Package nats writes to a bucket of NATS.
package nats

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
	"go.etcd.io/etcd/client/v3/concurrency"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/buckets")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

// Update compares the revision that was read: no update is lost.
func Update(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		e, err := kv.Get(ctx, "a")
		if err != nil {
			return err
		}
		_, err = kv.Update(ctx, "a", []byte("x"), e.Revision())
		return err
	})
}

// Create is taken once.
func Create(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		_, err := kv.Create(ctx, "b", []byte("x"))
		return err
	})
}

// Put overwrites what is there.
func Put(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		_, err := kv.Put(ctx, "c", []byte("x")) // want "unfencedwrite"
		return err
	})
}

// Deaf throws the refusal away.
func Deaf(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		e, err := kv.Get(ctx, "d")
		if err != nil {
			return err
		}
		_, _ = kv.Update(ctx, "d", []byte("x"), e.Revision()) // want "rejectionignored"
		return nil
	})
}
