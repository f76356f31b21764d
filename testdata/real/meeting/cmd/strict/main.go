// Command strict puts the packages together.
package main

import (
	"context"
	"database/sql"

	"fencelint.example/real/meeting/repair"
	"fencelint.example/real/meeting/report"
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
	if err := worker.Ship(ctx, concurrency.NewMutex(s, "/shipments"), db, "1"); err != nil {
		panic(err)
	}
	if err := repair.Reset(ctx, db, "2"); err != nil {
		panic(err)
	}
	if err := repair.Forget(ctx, db, "2"); err != nil {
		panic(err)
	}
	if err := report.Add(ctx, db, "2"); err != nil {
		panic(err)
	}
	if _, err := report.Close(ctx, db, "2", 7); err != nil {
		panic(err)
	}
}
