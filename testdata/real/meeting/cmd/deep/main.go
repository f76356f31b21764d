// Command deep knows only the package that puts the others together.
package main // want "bypasswrite"

import (
	"context"
	"database/sql"

	"fencelint.example/real/meeting/app"
	_ "github.com/jackc/pgx/v5/stdlib"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
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
	if err := app.Run(context.Background(), s, db); err != nil {
		panic(err)
	}
}
