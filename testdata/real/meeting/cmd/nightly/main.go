// Command nightly counts.
package main

import (
	"context"
	"database/sql"

	"fencelint.example/real/meeting/night"
	_ "github.com/jackc/pgx/v5/stdlib"
)

func main() {
	db, err := sql.Open("pgx", "postgres://localhost/shop")
	if err != nil {
		panic(err)
	}
	if err := night.Count(context.Background(), db); err != nil {
		panic(err)
	}
}
