// Command unfenced settles one invoice. Its lock is right, its statement is right, and
// yet a holder that was paused past its lease overwrites what its successor wrote.
package main

import (
	"context"
	"database/sql"
	"log"
	"os"

	"fencelint.example/real/settle/unfenced/service"
	"fencelint.example/real/settle/unfenced/wire"
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

	settler := service.New(session, wire.Store(db)) // want "unfencedwrite"
	return settler.Settle(ctx, 7, 1200)
}
