// Command accept keeps two books. What the desk has decided holds for both; what it has
// not decided is decided here for one of them.
package main

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"os"

	"fencelint.example/real/accept/book"
	"fencelint.example/real/accept/desk"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
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
	first := &desk.Desk{Session: session, Book: &book.Book{DB: db}} // want "unfencedwrite"
	//fencelint:accept unfencedwrite reason="the second book is for practice"
	second := &desk.Desk{Session: session, Book: &book.Book{DB: db}}
	ctx := context.Background()
	if err := errors.Join(first.Strike(ctx, 1), second.Enter(ctx, 1)); err != nil {
		log.Fatal(err)
	}
}
