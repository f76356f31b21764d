// Command onward has stores that another package has turned into interfaces already;
// nothing is left to judge here.
package main

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"os"

	"fencelint.example/real/settle/fenced/service"
	"fencelint.example/real/settle/onward/refund"
	"fencelint.example/real/settle/onward/wire"
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
	clerk := refund.Clerk{Session: session, Store: wire.Refunds(db)}
	settler := service.New(session, wire.Invoices(db))
	if err := errors.Join(clerk.Refund(ctx, 7, 1200), settler.Settle(ctx, 7, 1200)); err != nil {
		log.Fatal(err)
	}
}
