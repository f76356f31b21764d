// Package elastic writes documents of Elasticsearch.
package elastic

import (
	"context"
	"errors"
	"fmt"

	"github.com/elastic/go-elasticsearch/v8/esapi"
	"go.etcd.io/etcd/client/v3/concurrency"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/documents")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

var errRefused = errors.New("another owner came after")

// told makes an error of a response that says no.
func told(res *esapi.Response, err error) error {
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.IsError() {
		return fmt.Errorf("elasticsearch: %s", res.Status())
	}
	return nil
}
