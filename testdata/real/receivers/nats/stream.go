package nats

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Expected is taken only behind the last message that this owner has seen.
func Expected(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, last uint64) error {
	return held(ctx, s, func() error {
		_, err := js.Publish(ctx, "orders.1", []byte("x"), jetstream.WithExpectLastSequencePerSubject(last))
		return err
	})
}

// ExpectedOfStream is the same for all subjects of the stream.
func ExpectedOfStream(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, last uint64) error {
	return held(ctx, s, func() error {
		_, err := js.PublishMsg(ctx, &nats.Msg{Subject: "orders.2", Data: []byte("x")}, jetstream.WithExpectLastSequence(last))
		return err
	})
}

// Older uses the former client.
func Older(ctx context.Context, s *concurrency.Session, js nats.JetStreamContext, last uint64) error {
	return held(ctx, s, func() error {
		_, err := js.Publish("orders.3", []byte("x"), nats.ExpectLastSequence(last))
		return err
	})
}

// First is the only first message of its subject.
func First(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, order string) error {
	return held(ctx, s, func() error {
		_, err := js.Publish(ctx, "orders."+order, []byte("x"), jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
}

// Unexpected is taken whatever came before.
func Unexpected(ctx context.Context, s *concurrency.Session, js jetstream.JetStream) error {
	return held(ctx, s, func() error {
		_, err := js.Publish(ctx, "orders.4", []byte("x")) // want "missingidempotency"
		return err
	})
}

// InStream says only where it is to go.
func InStream(ctx context.Context, s *concurrency.Session, js jetstream.JetStream) error {
	return held(ctx, s, func() error {
		_, err := js.Publish(ctx, "orders.5", []byte("x"), jetstream.WithExpectStream("ORDERS")) // want "missingidempotency"
		return err
	})
}

// Named is known by the number of the order.
func Named(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, order string) error {
	return held(ctx, s, func() error {
		_, err := js.Publish(ctx, "orders.6", []byte("x"), jetstream.WithMsgID(order))
		return err
	})
}

// Unheard throws the refusal away.
func Unheard(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, last uint64) error {
	return held(ctx, s, func() error {
		js.Publish(ctx, "orders.7", []byte("x"), jetstream.WithExpectLastSequence(last)) // want "rejectionignored"
		return nil
	})
}

// Later hears of the refusal in another place.
func Later(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, last uint64) error {
	return held(ctx, s, func() error {
		_, err := js.PublishAsync("orders.8", []byte("x"), jetstream.WithExpectLastSequence(last)) // want "unprovedwrite"
		return err
	})
}

// Ordered says that the lock needs an order, and the last sequence is none.
func Ordered(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, last uint64) error {
	mu := concurrency.NewMutex(s, "/locks/ordered")
	//fencelint:lock correctness contract=fence
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := js.Publish(ctx, "orders.9", []byte("x"), jetstream.WithExpectLastSequence(last)) // want "casnotfence"
	return err
}

// Tried reads again and tries once more.
func Tried(ctx context.Context, s *concurrency.Session, js jetstream.JetStream, stream jetstream.Stream) error {
	return held(ctx, s, func() error {
		for range 3 {
			msg, err := stream.GetLastMsgForSubject(ctx, "orders.10")
			if err != nil {
				return err
			}
			if _, err = js.Publish(ctx, "orders.10", append(msg.Data, 'x'), jetstream.WithExpectLastSequencePerSubject(msg.Sequence)); err == nil {
				return nil
			}
		}
		return errors.New("others are always faster")
	})
}

// Removed deletes the revision that was read.
func Removed(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		e, err := kv.Get(ctx, "e")
		if err != nil {
			return err
		}
		return kv.Delete(ctx, "e", jetstream.LastRevision(e.Revision()))
	})
}

// RemovedAny deletes whatever is there.
func RemovedAny(ctx context.Context, s *concurrency.Session, kv jetstream.KeyValue) error {
	return held(ctx, s, func() error {
		return kv.Delete(ctx, "f") // want "unfencedwrite"
	})
}
