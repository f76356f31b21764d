// Package kafka sends messages in transactions of Kafka.
package kafka

import (
	"context"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.etcd.io/etcd/client/v3/concurrency"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/topics")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

// Plain can be sent twice.
func Plain(ctx context.Context, s *concurrency.Session, p sarama.SyncProducer) error {
	return held(ctx, s, func() error {
		_, _, err := p.SendMessage(&sarama.ProducerMessage{Topic: "a", Value: sarama.StringEncoder("x")}) // want "missingidempotency"
		return err
	})
}

// Transaction is fenced by the broker, in the order in which producers begin: the commit
// is what counts.
func Transaction(ctx context.Context, s *concurrency.Session, p sarama.SyncProducer) error {
	return held(ctx, s, func() error {
		if err := p.BeginTxn(); err != nil {
			return err
		}
		if _, _, err := p.SendMessage(&sarama.ProducerMessage{Topic: "b", Value: sarama.StringEncoder("x")}); err != nil {
			return p.AbortTxn()
		}
		return p.CommitTxn() // want "unprovedwrite"
	})
}

// Shared has the same id for all owners.
func Shared(ctx context.Context, s *concurrency.Session) error {
	return held(ctx, s, func() error {
		c, err := kgo.NewClient(kgo.SeedBrokers("localhost:9092"), kgo.TransactionalID("ledger"))
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.BeginTransaction(); err != nil {
			return err
		}
		if err := c.ProduceSync(ctx, kgo.StringRecord("x")).FirstErr(); err != nil {
			return c.EndTransaction(ctx, kgo.TryAbort)
		}
		return c.EndTransaction(ctx, kgo.TryCommit) // want "unprovedwrite"
	})
}

// Apart has another id for each owner, so that the broker refuses nobody.
func Apart(ctx context.Context, s *concurrency.Session) error {
	return held(ctx, s, func() error {
		c, err := kgo.NewClient(kgo.SeedBrokers("localhost:9092"), kgo.TransactionalID("ledger-"+uuid.NewString()))
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.BeginTransaction(); err != nil {
			return err
		}
		if err := c.ProduceSync(ctx, kgo.StringRecord("x")).FirstErr(); err != nil {
			return c.EndTransaction(ctx, kgo.TryAbort)
		}
		return c.EndTransaction(ctx, kgo.TryCommit) // want "unstableidempotency"
	})
}
