package unclassified_test

import (
	"context"
	"testing"

	"fencelint.example/real/unclassified"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Nor does one in a test that stands outside.
func TestOutside(t *testing.T) {
	var s *concurrency.Session
	if s == nil {
		return // there is no etcd here
	}
	mu := unclassified.GoodMake(s, "/locks/outside")
	if err := mu.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer mu.Unlock(context.Background())
}
