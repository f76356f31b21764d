// Command unseen never says what provides its lock.
package main // want "unprovedwrite"

import (
	"context"
	"database/sql"
	"log"

	"fencelint.example/real/ports/nobody"
)

func main() {
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	if err := nobody.Sweep(context.Background(), db); err != nil {
		log.Fatal(err)
	}
}
