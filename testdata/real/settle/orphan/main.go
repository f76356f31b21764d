// Command orphan settles with a store that some other program hands over at run time.
package main // want "unprovedwrite"

import (
	"context"
	"log"
	"os"
	"plugin"

	"fencelint.example/real/settle/orphan/till"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func main() {
	cli, err := clientv3.New(clientv3.Config{Endpoints: []string{"localhost:2379"}})
	if err != nil {
		log.Fatal(err)
	}
	session, err := concurrency.NewSession(cli)
	if err != nil {
		log.Fatal(err)
	}
	lib, err := plugin.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	sym, err := lib.Lookup("Drawer")
	if err != nil {
		log.Fatal(err)
	}
	drawer, ok := sym.(till.Drawer)
	if !ok {
		log.Fatal("the plugin has no drawer")
	}
	if err := till.Count(context.Background(), session, drawer, 40); err != nil {
		log.Fatal(err)
	}
}
