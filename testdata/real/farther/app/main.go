// Command app puts a vault behind a teller.
package main

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq"
	clientv3 "go.etcd.io/etcd/client/v3"

	"fencelint.example/real/farther/pg"
	"fencelint.example/real/farther/teller"
)

func main() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		panic(err)
	}
	db, err := sql.Open("postgres", "")
	if err != nil {
		panic(err)
	}
	t := teller.New(client, &pg.Open{DB: db}, &pg.Shut{DB: db}) // want "unfencedwrite"
	ctx := context.Background()
	if err := t.Store(ctx, "a"); err != nil {
		panic(err)
	}
	if err := t.StoreOnce(ctx, "b"); err != nil {
		panic(err)
	}
}
