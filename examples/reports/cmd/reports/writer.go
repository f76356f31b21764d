//go:build unix

package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"fencelint.example/reports/fenced"
	"fencelint.example/reports/internal/servers"
	"fencelint.example/reports/payment"
	"fencelint.example/reports/unfenced"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ttl is how many seconds a lock survives its owner.
const ttl = 2

// writer writes one report and says on its standard output how far it is.
func writer(ctx context.Context, kind, report, name string) error {
	id, err := strconv.ParseInt(report, 10, 64)
	if err != nil {
		return err
	}
	db, err := sql.Open("pgx", os.Getenv("REPORTS_POSTGRES"))
	if err != nil {
		return err
	}
	defer db.Close()
	cli, err := servers.Dial(strings.Split(os.Getenv("REPORTS_ETCD"), ",")...)
	if err != nil {
		return err
	}
	defer cli.Close()
	session, err := concurrency.NewSession(cli, concurrency.WithTTL(ttl))
	if err != nil {
		return err
	}
	defer session.Close()

	render := func(context.Context) (string, error) {
		fmt.Println(name, "has the lock and renders")
		bufio.NewScanner(os.Stdin).Scan() // until we are told to go on
		return "rendered by " + name, nil
	}
	if kind == "fenced" {
		w := fenced.Writer{Session: session, Store: fenced.Store{DB: db}}
		err = w.Write(ctx, id, render)
	} else {
		bank := payment.Bank{URL: os.Getenv("REPORTS_BANK"), Client: http.DefaultClient}
		w := unfenced.Writer{Session: session, DB: db, Bank: bank}
		err = w.Write(ctx, id, render)
	}
	if err != nil {
		fmt.Println(name, "writes:", err)
		return nil
	}
	fmt.Println(name, "writes: done")
	return nil
}
