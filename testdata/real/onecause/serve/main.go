// Command serve uses the ledger, whose faults are said where they are.
package main

import (
	"context"
	"database/sql"
	"log"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/onecause/ledger"
)

func main() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"127.0.0.1:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	session, err := concurrency.NewSession(client)
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	l := ledger.New(session, db, func() string { return "closed" })
	l.CloseLater(context.Background(), "1")
	if err := l.CloseAll(context.Background(), []string{"2", "3"}); err != nil {
		log.Print(err)
	}
	if err := l.Archive(context.Background(), "4"); err != nil {
		log.Print(err)
	}
}
