// Command fenced settles one invoice. A holder that was paused past its lease comes back
// with an old number, and the database says no.
package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	"fencelint.example/real/settle/fenced/service"
	"fencelint.example/real/settle/fenced/wire"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	// Link the driver that you use; any that speaks to PostgreSQL will do.
	db, err := sql.Open(os.Getenv("DB_DRIVER"), os.Getenv("DB_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		return err
	}
	defer cli.Close()
	session, err := concurrency.NewSession(cli, concurrency.WithTTL(10))
	if err != nil {
		return err
	}
	defer session.Close()

	settler := service.New(session, wire.Store(db))
	return settler.Settle(ctx, 7, 1200)
}
