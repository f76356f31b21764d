package elastic

import (
	"context"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esutil"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Item gives the epoch, and hears of a refusal.
func Item(ctx context.Context, s *concurrency.Session, b esutil.BulkIndexer, body string, failed chan<- string) error {
	return held(ctx, s, func(epoch int64) error {
		return b.Add(ctx, esutil.BulkIndexerItem{
			Index: "a", Action: "index", DocumentID: "1", Version: &epoch, VersionType: "external", Body: strings.NewReader(body),
			OnFailure: func(_ context.Context, item esutil.BulkIndexerItem, _ esutil.BulkIndexerResponseItem, _ error) {
				failed <- item.DocumentID
			},
		})
	})
}

// Unheard has nobody who hears.
func Unheard(ctx context.Context, s *concurrency.Session, b esutil.BulkIndexer, body string) error {
	return held(ctx, s, func(epoch int64) error {
		return b.Add(ctx, esutil.BulkIndexerItem{ // want "unprovedwrite"
			Index: "b", Action: "index", DocumentID: "1", Version: &epoch, VersionType: "external", Body: strings.NewReader(body),
		})
	})
}

// Plain gives no version.
func Plain(ctx context.Context, s *concurrency.Session, b esutil.BulkIndexer, body string) error {
	return held(ctx, s, func(int64) error {
		return b.Add(ctx, esutil.BulkIndexerItem{Index: "c", Action: "index", DocumentID: "1", Body: strings.NewReader(body)}) // want "unfencedwrite"
	})
}
