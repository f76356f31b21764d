// Package harmless holds correctness locks around things that leave no effect behind.
package harmless

import (
	"context"
	"database/sql"
	"encoding/json"
	"expvar"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var lookups = expvar.NewInt("lookups")

// Read only reads.
func Read(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (name string, err error) {
	mu := concurrency.NewMutex(s, "/locks/read")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return "", err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	err = db.QueryRowContext(ctx, `SELECT name FROM guests WHERE id = $1`, id).Scan(&name)
	return name, err
}

// List reads many rows in a transaction that it rolls back.
func List(ctx context.Context, s *concurrency.Session, db *sql.DB) (names []string, err error) {
	mu := concurrency.NewMutex(s, "/locks/list")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return nil, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `WITH g AS (SELECT name FROM guests) SELECT name FROM g -- UPDATE nothing`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// Tell logs, counts, prints and answers.
func Tell(ctx context.Context, s *concurrency.Session, w http.ResponseWriter) error {
	mu := concurrency.NewMutex(s, "/locks/tell")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	slog.InfoContext(ctx, "in the hold", "revision", mu.Header().Revision)
	log.Printf("lock %s", mu.Key())
	lookups.Add(1)
	fmt.Fprintln(os.Stderr, "held")
	w.WriteHeader(http.StatusOK)
	if err := json.NewEncoder(w).Encode(map[string]int64{"revision": mu.Header().Revision}); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("UPDATE guests SET name = 'x'") // text that nobody runs
	_, err := io.WriteString(w, b.String())
	return err
}

// Sketch writes a file that no other process knows.
func Sketch(ctx context.Context, s *concurrency.Session, body []byte) error {
	mu := concurrency.NewMutex(s, "/locks/sketch")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	f, err := os.CreateTemp("", "sketch-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	_, err = f.Write(body)
	return err
}

func look(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (seen bool, err error) {
	mu := concurrency.NewMutex(s, "/locks/look")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return false, err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	err = db.QueryRowContext(ctx, `SELECT true FROM guests WHERE id = $1`, id).Scan(&seen)
	return seen, err
}

// Before writes ahead of the lock, for its own reasons.
func Before(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	if _, err := db.ExecContext(ctx, `UPDATE knocks SET n = n + 1 WHERE id = $1`, id); err != nil {
		return err
	}
	_, err := look(ctx, s, db, id)
	return err
}

// Refused writes only where it did not get the lock.
func Refused(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/locks/refused")
	//fencelint:lock correctness
	if err := mu.TryLock(ctx); err != nil {
		_, err := db.ExecContext(ctx, `UPDATE refusals SET n = n + 1 WHERE id = $1`, id)
		return err
	}
	return mu.Unlock(ctx)
}
