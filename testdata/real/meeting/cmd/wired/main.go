// Command wired gives the clerk its store.
package main

import (
	"context"
	"database/sql"

	"fencelint.example/real/meeting/clerk"
	"fencelint.example/real/meeting/shelf"
	"fencelint.example/real/meeting/worker"
	_ "github.com/jackc/pgx/v5/stdlib"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		panic(err)
	}
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		panic(err)
	}
	s, err := concurrency.NewSession(c)
	if err != nil {
		panic(err)
	}
	m := concurrency.NewMutex(s, "/shipments")
	if err := worker.Ship(ctx, m, db, "1"); err != nil {
		panic(err)
	}
	k := &clerk.Clerk{M: m, S: &shelf.Shelf{DB: db}} // want "unfencedwrite"
	if err := k.Mark(ctx, "2"); err != nil {
		panic(err)
	}
}
