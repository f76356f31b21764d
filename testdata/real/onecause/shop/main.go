// Command shop makes the drawer of its till, and others: the till's fault is said at the
// till's.
package main

import (
	"context"
	"database/sql"
	"log"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/onecause/drawer"
	"fencelint.example/real/onecause/till"
)

func first(ctx context.Context, db *sql.DB) error {
	return till.Peek(ctx, drawer.Table{DB: db})
}

func second(ctx context.Context, db *sql.DB, s *concurrency.Session) error {
	t := till.New(concurrency.NewMutex(s, "/till"), drawer.Table{DB: db}) // want "unfencedwrite"
	return t.Close(ctx, "today", 100)
}

func third(ctx context.Context, db *sql.DB) error {
	return till.Peek(ctx, drawer.Table{DB: db})
}

func main() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"127.0.0.1:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	s, err := concurrency.NewSession(client)
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	for _, err := range []error{first(ctx, db), second(ctx, db, s), third(ctx, db)} {
		if err != nil {
			log.Print(err)
		}
	}
}
