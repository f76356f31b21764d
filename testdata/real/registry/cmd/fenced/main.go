// Command fenced works.
package main

import (
	"context"

	_ "fencelint.example/real/registry/fencedstore"
	"fencelint.example/real/registry/store"
	"fencelint.example/real/registry/worker"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	s, err := store.Open("fenced", "")
	if err != nil {
		panic(err)
	}
	w := &worker.Worker{M: concurrency.NewMutex(nil, "/nuts"), S: s}
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}
