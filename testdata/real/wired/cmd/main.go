// Command cmd puts together what was chosen elsewhere.
package main

import (
	"context"
	"database/sql"
	"os"

	"fencelint.example/real/wired/outer"
	"fencelint.example/real/wired/wiring"
	"fencelint.example/real/wired/work"
	"go.etcd.io/etcd/client/v3/concurrency"
)

func run(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	switch os.Args[1] {
	case "open":
		return work.Run(ctx, s, wiring.Open(db)) // want "unfencedwrite"
	case "fenced":
		return work.Run(ctx, s, wiring.Fenced(db))
	case "outer":
		return work.Run(ctx, s, outer.Open(db))
	}
	return work.Run(ctx, s, outer.Fenced(db))
}

func main() {
	if err := run(context.Background(), nil, nil); err != nil {
		os.Exit(1)
	}
}
