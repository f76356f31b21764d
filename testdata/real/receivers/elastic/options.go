package elastic

import (
	"context"
	"strings"

	"fencelint.example/real/receivers/elastic/answer"
	"github.com/elastic/go-elasticsearch/v8/esapi"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Options gives the epoch by an option.
func Options(ctx context.Context, s *concurrency.Session, es *esapi.API, body string) error {
	return held(ctx, s, func(epoch int64) error {
		return told(es.Index("q", strings.NewReader(body),
			es.Index.WithContext(ctx), es.Index.WithDocumentID("1"),
			es.Index.WithVersion(int(epoch)), es.Index.WithVersionType("external")))
	})
}

// NoOptions gives none.
func NoOptions(ctx context.Context, s *concurrency.Session, es *esapi.API, body string) error {
	return held(ctx, s, func(epoch int64) error {
		return told(es.Index("r", strings.NewReader(body), es.Index.WithContext(ctx), es.Index.WithDocumentID("1"))) // want "unfencedwrite"
	})
}

// DeafOptions takes the response for success.
func DeafOptions(ctx context.Context, s *concurrency.Session, es *esapi.API, body string) error {
	return held(ctx, s, func(epoch int64) error {
		res, err := es.Index("s", strings.NewReader(body), // want "rejectionignored"
			es.Index.WithContext(ctx), es.Index.WithDocumentID("1"),
			es.Index.WithVersion(int(epoch)), es.Index.WithVersionType("external"))
		if err != nil {
			return err
		}
		return res.Body.Close()
	})
}

// OnceByOptions is taken once.
func OnceByOptions(ctx context.Context, s *concurrency.Session, es *esapi.API, order, body string) error {
	return held(ctx, s, func(int64) error {
		return told(es.Create("t", order, strings.NewReader(body)))
	})
}

// RemovedByOptions deletes whatever there is.
func RemovedByOptions(ctx context.Context, s *concurrency.Session, es *esapi.API) error {
	return held(ctx, s, func(int64) error {
		return told(es.Delete("u", "1", es.Delete.WithRefresh("true"))) // want "unfencedwrite"
	})
}

// SentTogether leaves the conditions to the items.
func SentTogether(ctx context.Context, s *concurrency.Session, es *esapi.API, lines string) error {
	return held(ctx, s, func(int64) error {
		return told(es.Bulk(strings.NewReader(lines))) // want "unprovedwrite"
	})
}

// Asked only reads.
func Asked(ctx context.Context, s *concurrency.Session, es *esapi.API) error {
	return held(ctx, s, func(int64) error {
		return told(es.Get("v", "1", es.Get.WithContext(ctx)))
	})
}

// Told has another package look at the response.
func Told(ctx context.Context, s *concurrency.Session, es *esapi.API, body string) error {
	return held(ctx, s, func(epoch int64) error {
		return answer.Told(es.Index("w", strings.NewReader(body), es.Index.WithDocumentID("1"),
			es.Index.WithVersion(int(epoch)), es.Index.WithVersionType("external")))
	})
}

// Dropped has one that looks at the error alone.
func Dropped(ctx context.Context, s *concurrency.Session, es *esapi.API, body string) error {
	return held(ctx, s, func(epoch int64) error {
		return answer.Dropped(es.Index("x", strings.NewReader(body), es.Index.WithDocumentID("1"), // want "rejectionignored"
			es.Index.WithVersion(int(epoch)), es.Index.WithVersionType("external")))
	})
}
