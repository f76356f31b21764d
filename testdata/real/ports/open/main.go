// Command open joins what is known elsewhere: no type is converted here.
package main

import (
	"context"
	"database/sql"
	"log"

	"fencelint.example/real/ports/etcdlease"
	"fencelint.example/real/ports/ledger"
	"fencelint.example/real/ports/nightly"
	"fencelint.example/real/ports/payroll"
	clientv3 "go.etcd.io/etcd/client/v3"
)

func main() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	if err := payroll.New(etcdlease.New(client), ledger.Open(db)).Run(context.Background(), "may", 100); err != nil { // want "unfencedwrite"
		log.Fatal(err)
	}
	leases, book := etcdlease.New(client), ledger.Open(db) // the same once more
	if err := nightly.Run(context.Background(), leases, book, "may", 100); err != nil {
		log.Fatal(err)
	}
}
