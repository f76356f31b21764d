// Command server works.
package main // want "unfencedwrite"

import (
	"context"

	_ "fencelint.example/real/registry/sqlstore"
	"fencelint.example/real/registry/store"
	"fencelint.example/real/registry/worker"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	s, err := store.Open("sql", "")
	if err != nil {
		panic(err)
	}
	w := &worker.Worker{M: concurrency.NewMutex(nil, "/nuts"), S: s}
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}
