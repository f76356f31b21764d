// Package querytext sends statements by the methods for queries, whose texts are put
// together in many ways.
package querytext

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var byName = map[string]string{
	"take": "UPDATE bales SET taken = true WHERE id = $1 RETURNING id",
	"look": "SELECT id FROM bales WHERE id = $1",
}

func ask(ctx context.Context, db *sql.DB, q string) error {
	var id int64
	return db.QueryRowContext(ctx, q).Scan(&id)
}

// Bad writes by what looks like reading.
func Bad(ctx context.Context, s *concurrency.Session, db *sql.DB, name string) error {
	mu := concurrency.NewMutex(s, "/locks/querytext")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	if err := ask(ctx, db, strings.ToUpper("update bales set taken = true where id = $1 returning id")); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, strings.TrimSuffix("DELETE FROM bales WHERE id = $1;", ";")); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, strings.NewReplacer("$T", "bales").Replace("UPDATE $T SET taken = true")); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, strings.ReplaceAll("UPDATE TABLE_NAME SET taken = true", "TABLE_NAME", "bales")); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, strings.Repeat("UPDATE bales SET n = n + 1;", 2)); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, string(append([]byte("UPDATE bales SET taken = true "), "RETURNING id"...))); err != nil { // want "unfencedwrite"
		return err
	}
	if err := ask(ctx, db, byName[name]); err != nil { // want "unfencedwrite"
		return err
	}
	set := "UPDATE bales SET n = 0"
	for _, c := range strings.Fields(name) {
		set += ", " + c + " = 1"
	}
	return ask(ctx, db, set) // want "unfencedwrite"
}

type settings struct{ Query string }

// Unseen sends texts that the code does not hold.
func Unseen(ctx context.Context, s *concurrency.Session, db *sql.DB, raw []byte) error {
	mu := concurrency.NewMutex(s, "/locks/querytext")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	var n int
	if err := db.QueryRowContext(ctx, os.Getenv("TAKE_QUERY")).Scan(&n); err != nil { // want "unprovedwrite"
		return err
	}
	var set settings
	if err := json.Unmarshal(raw, &set); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, set.Query) // want "unprovedwrite"
	return err
}

// Good only reads.
func Good(ctx context.Context, s *concurrency.Session, db *sql.DB, cols []string) error {
	mu := concurrency.NewMutex(s, "/locks/querytext")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	q := "SELECT id FROM bales WHERE true"
	for _, c := range cols {
		q += " AND " + c + " = 1"
	}
	var n int
	if err := db.QueryRowContext(ctx, q).Scan(&n); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("SELECT ")
	for _, c := range cols {
		b.WriteString(c + ", ")
	}
	b.WriteString("1 FROM bales")
	if err := db.QueryRowContext(ctx, strings.ToLower(b.String())).Scan(&n); err != nil {
		return err
	}
	var look string
	switch n {
	case 0:
		look = "SELECT 1"
	default:
		look = byName["look"]
	}
	return db.QueryRowContext(ctx, look, n).Scan(&n)
}
