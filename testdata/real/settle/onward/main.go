// Command onward settles with stores that wire has turned into interfaces already;
// nothing is left to judge here.
package main

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"os"

	fenced "fencelint.example/real/settle/fenced/service"
	"fencelint.example/real/settle/onward/wire"
	plain "fencelint.example/real/settle/unfenced/service"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	ctx := context.Background()
	db, err := sql.Open(os.Getenv("DB_DRIVER"), os.Getenv("DB_URL"))
	if err != nil {
		log.Fatal(err)
	}
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	session, err := concurrency.NewSession(cli)
	if err != nil {
		log.Fatal(err)
	}
	err = errors.Join(
		plain.New(session, wire.Plain(db)).Settle(ctx, 7, 1200),
		fenced.New(session, wire.Fenced(db)).Settle(ctx, 7, 1200),
	)
	if err != nil {
		log.Fatal(err)
	}
}
